// A position in the bytes of a GGUF file: every read is held against what is left.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace burnish {

class GgufReader {
 public:
  GgufReader(std::span<const std::byte> bytes, std::string path)
      : bytes_(bytes), path_(std::move(path)) {}

  size_t position() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

  /// What is being read now, for errors: "key general.name".
  void enter(std::string part) { part_ = std::move(part); }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::model, what, where(), "The file is damaged or not whole");
  }
  std::string where() const { return path_ + (part_.empty() ? "" : ", " + part_); }

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view text() {
    const std::span<const std::byte> bytes = take(number<uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// A number of items of at least `smallest` bytes each, of which the file must have room.
  uint64_t count(uint64_t smallest, const char* items) {
    const auto claimed = number<uint64_t>();
    if (claimed > left() / smallest)
      refuse("it claims " + std::to_string(claimed) + " " + items + ", but only " +
             std::to_string(left()) + " bytes follow");
    return claimed;
  }

 private:
  std::span<const std::byte> take(uint64_t size) {
    if (size > left())
      refuse("the file ends at byte " + std::to_string(bytes_.size()) + ", inside of " +
             std::to_string(size) + " bytes that start at byte " + std::to_string(at_));
    const auto taken = bytes_.subspan(at_, static_cast<size_t>(size));
    at_ += static_cast<size_t>(size);
    return taken;
  }

  std::span<const std::byte> bytes_;
  std::string path_, part_;
  size_t at_ = 0;
};

}  // namespace burnish
