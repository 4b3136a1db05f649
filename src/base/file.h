// Reading by memory map, writing aside and renaming: a reader never sees half a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace burnish {

/// A whole file, read-only, mapped. Movable; unmapped when destroyed.
class MappedFile {
 public:
  /// @throws Error(io): missing, a folder, no permission.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::filesystem::path& path() const { return path_; }

  /// Tells the kernel that these pages are not needed again soon: they leave the resident set.
  void release(std::span<const std::byte> part) const;

 private:
  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

/// @throws Error(io)
std::string read_text_file(const std::filesystem::path& path);

/// Writes `PATH.partial`, and on commit() syncs it and renames it to PATH. Destroyed before
/// commit(), it removes what it wrote. Every write checks for errors (full disk: Error(io)).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  std::filesystem::path path_, partial_;
  int descriptor_ = -1;
};

/// The whole text through an AtomicFile.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Appends lines, each with one write(2), so that a killed process leaves whole lines but the last.
class AppendFile {
 public:
  /// Creates the file if it is not there.
  explicit AppendFile(const std::filesystem::path& path);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// What was written survives a loss of power.
  void sync() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Makes a folder and its parents. @throws Error(io) with the reason (a file is in the way, ...).
void make_folder(const std::filesystem::path& path);

/// Names in a folder, sorted; those up to `error` where one is met.
std::vector<std::string> list_names(const std::filesystem::path& folder, std::error_code& error);

/// Renames and syncs the folder that holds both names. @throws Error(io)
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

/// Error(io) from errno, e.g. "cannot write: No space left on device".
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view verb);

/// For fault tests: BURNISH_FAULT_KILL_AFTER_BYTES=n in the environment ends the process by SIGKILL
/// inside the write that reaches the n-th byte written through this file's classes.
/// BURNISH_FAULT_FULL_AFTER_BYTES=n makes that write fail as on a full disk.

}  // namespace burnish
