// The hash that names a file on the hub: SHA-256 of its bytes where it is stored by LFS, else git's
// blob SHA-1, over "blob SIZE\0" and the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace burnish {

/// 40 (git) or 64 (LFS) lower-case hex digits.
bool is_content_name(std::string_view name);

class ContentHash {
 public:
  /// @param name  decides the algorithm by its length
  /// @param size  of the whole content, which git's hash begins with
  ContentHash(std::string_view name, uint64_t size);
  ~ContentHash();
  ContentHash(ContentHash&&) noexcept;
  ContentHash& operator=(ContentHash&&) noexcept;

  void update(std::span<const std::byte> bytes);
  /// Lower-case hex. Ends the computation: call it once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The name that the content of `file` should have, by the algorithm of `name`. A file of any size:
/// its pages leave memory again. `go_on` is asked every 16 MiB. @throws Error(io), and
/// Error(interrupted) once `go_on` is false.
std::string content_name_of_file(const std::filesystem::path& file, std::string_view name,
                                 const std::function<bool()>& go_on);

}  // namespace burnish
