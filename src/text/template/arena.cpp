#include "text/template/arena.h"

#include <algorithm>

namespace burnish::jinja {

void fail(const char* kind, std::string message) {
  throw Failure{kind, std::move(message)};
}

Arena::Arena(size_t limit, size_t text_limit)
    : limit_(limit), text_limit_(std::min<size_t>(text_limit, 0xfffffff0u)) {}

void* Arena::allocate_in_new_block(size_t bytes) {
  // blocks double up to 1 MiB, so a short conversation costs one small block
  const size_t usual =
      std::min<size_t>(size_t{16} << 10 << std::min<size_t>(blocks_.size(), 6), size_t{1} << 20);
  const size_t size = std::max(bytes, usual);
  if (size > limit_ - used_) fail_limit();
  used_ += size;
  blocks_.emplace_back(new std::byte[size]);
  std::byte* block = blocks_.back().get();
  if (size - bytes >= static_cast<size_t>(end_ - next_)) {
    next_ = block + bytes;
    end_ = block + size;
  }
  return block;
}

void Arena::fail_limit() const {
  fail("MemoryError", "the template needs more than " + std::to_string(limit_ >> 20) + " MiB");
}

}  // namespace burnish::jinja
