// Memory of one rendering: values are trivial, live in an arena and die together. So copying a
// value is 16 bytes, a slice of a text is a view, and foreign code cannot make a cycle that leaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace burnish::jinja {

/// What an operation of the template language throws; the evaluator adds the place.
struct Failure {
  std::string kind;  ///< as Python names it: TypeError, UndefinedError, ...
  std::string message;
};

[[noreturn]] void fail(const char* kind, std::string message);

class Arena {
 public:
  /// @param limit bytes in all; @param text_limit bytes of one text
  explicit Arena(size_t limit, size_t text_limit);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// @throws Failure when the limit is passed.
  void* allocate(size_t bytes, size_t alignment) {
    std::byte* begin = next_ + (-reinterpret_cast<uintptr_t>(next_) & (alignment - 1));
    if (bytes > static_cast<size_t>(end_ - next_) ||
        begin + bytes > end_) {  // the first test keeps the second in range
      return allocate_in_new_block(bytes);
    }
    next_ = begin + bytes;
    return begin;
  }

  template <class T>
  T* allocate_array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count > limit_ / sizeof(T)) fail_limit();
    return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    // the arena owns it; NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  std::string_view copy(std::string_view text) {
    char* bytes = allocate_array<char>(text.size());
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    return {bytes, text.size()};
  }

  size_t text_limit() const { return text_limit_; }

 private:
  void* allocate_in_new_block(size_t bytes);
  [[noreturn]] void fail_limit() const;

  size_t limit_, text_limit_, used_ = 0;
  std::byte *next_ = nullptr, *end_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace burnish::jinja
