#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

std::string advice_for(int error) {
  switch (error) {
    case ENOENT:
      return "Check the path";
    case EACCES:
    case EPERM:
      return "Check the permissions of the file and its folder";
    case ENOSPC:
      return "Free some space; nothing that was saved before is lost";
    case EISDIR:
      return "It is a folder; name a file";
    default:
      return {};
  }
}

int64_t fault_limit(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : std::strtoll(text, nullptr, 10);
}

// Bytes that may still be written before the fault of the environment strikes; see file.h.
size_t until_fault(size_t size, int64_t limit, const std::atomic<int64_t>& written) {
  if (limit < 0) return size;
  const int64_t left = limit - written.load();
  return left < static_cast<int64_t>(size) ? static_cast<size_t>(std::max<int64_t>(left, 0)) : size;
}

void write_all(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
  const int64_t kill_after = fault_limit("BURNISH_FAULT_KILL_AFTER_BYTES");
  const int64_t full_after = fault_limit("BURNISH_FAULT_FULL_AFTER_BYTES");
  static std::atomic<int64_t> written{0};
  const size_t before_kill = until_fault(bytes.size(), kill_after, written);
  const size_t before_full = until_fault(bytes.size(), full_after, written);
  const size_t wanted = std::min(before_kill, before_full);
  size_t done = 0;
  while (done < wanted) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, wanted - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_io_error(path, "write");
    done += static_cast<size_t>(n);
  }
  if (kill_after >= 0 || full_after >= 0) written += static_cast<int64_t>(done);
  if (before_kill < bytes.size() && before_kill <= before_full) ::kill(::getpid(), SIGKILL);
  if (before_full < bytes.size()) {
    errno = ENOSPC;
    throw_io_error(path, "write");
  }
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void throw_io_error(const fs::path& path, std::string_view verb) {
  const int error = errno;
  throw Error(ErrorCode::io, "cannot " + std::string(verb) + ": " + std::strerror(error),
              path.string(), advice_for(error));
}

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_io_error(path, "open");
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    const int error = errno;
    ::close(descriptor);
    errno = error;
    throw_io_error(path, "read");
  }
  size_ = static_cast<size_t>(status.st_size);
  if (size_ > 0) {
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    if (mapped == MAP_FAILED) throw_io_error(path, "map");
    data_ = static_cast<const std::byte*>(mapped);
  } else {
    ::close(descriptor);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::release(std::span<const std::byte> part) const {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const size_t skipped = (page - reinterpret_cast<uintptr_t>(part.data()) % page) % page;
  if (part.size() < skipped + page) return;
  const size_t whole_pages = (part.size() - skipped) / page * page;
  ::madvise(const_cast<std::byte*>(part.data() + skipped), whole_pages, MADV_DONTNEED);
}

std::string read_text_file(const fs::path& path) {
  const MappedFile file(path);
  return std::string(file.text());
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), partial_(path_) {
  partial_ += ".partial";
  descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw_io_error(partial_, "create");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(partial_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write_all(descriptor_, bytes, partial_);
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) throw_io_error(partial_, "sync");
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_io_error(partial_, "close");
  rename_durably(partial_, path_);
}

void write_text_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

AppendFile::AppendFile(const fs::path& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw_io_error(path, "open");
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void AppendFile::write(std::span<const std::byte> bytes) {
  write_all(descriptor_, bytes, path_);
}

void AppendFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text)));
}

void AppendFile::sync() const {
  if (::fsync(descriptor_) != 0) throw_io_error(path_, "sync");
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path)) {
    errno = error ? error.value() : ENOTDIR;
    throw_io_error(path, "make the folder");
  }
}

std::vector<std::string> list_names(const fs::path& folder, std::error_code& error) {
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_io_error(to, "rename into place");
  sync_folder(to.parent_path());
}

}  // namespace burnish
