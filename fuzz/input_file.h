// The fuzzer's bytes as a file, for readers that map one. It lies in memory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace burnish::fuzz {

class InputFile {
 public:
  InputFile(const uint8_t* data, size_t size) : descriptor_(::memfd_create("input", 0)) {
    size_t done = 0;
    while (done < size) {
      const ssize_t n = ::write(descriptor_, data + done, size - done);
      if (n <= 0) std::abort();
      done += static_cast<size_t>(n);
    }
  }
  ~InputFile() { ::close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace burnish::fuzz
