// What operations share during one rendering: memory, limits, the clock.
#pragma once

#include <ctime>

#include "text/template/origin.h"
#include "text/template/value.h"

namespace burnish::jinja {

class Runtime {
 public:
  Runtime(const RenderLimits& limits, std::time_t now);

  Arena arena;
  const std::time_t now;

  /// Counts work. @throws Failure when the limit on steps is passed.
  void charge(size_t work) {
    steps_left_ -= static_cast<int64_t>(work);
    if (steps_left_ < 0) fail_steps();
  }

  /// A text; the bytes are copied.
  Value text(std::string_view bytes, const Tag& tag = {});
  Value list(std::span<const Value> items);   ///< copied
  Value tuple(std::span<const Value> items);  ///< copied
  Value undefined(std::string_view hint);
  Value no_attribute(const Value& object, std::string_view name);
  Value no_element(const Value& object, const Value& key);

  /// Counts how deeply operations lie in one another, so that the stack cannot overflow.
  class Nested {
   public:
    explicit Nested(Runtime& runtime) : runtime_(runtime) {
      if (++runtime.nesting_ > kMaxNested) runtime.fail_nesting();
    }
    ~Nested() { --runtime_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Runtime& runtime_;
  };

 private:
  static constexpr int kMaxNested = 2000;
  [[noreturn]] void fail_steps() const;
  [[noreturn]] void fail_nesting();
  const int64_t steps_;
  int64_t steps_left_;
  int nesting_ = 0;
};

/// A list that grows.
class ListBuilder {
 public:
  explicit ListBuilder(Arena& arena, size_t reserve = 0);
  void append(const Value& value);
  size_t size() const { return size_; }
  Value* data() { return items_; }
  const List* finish();

 private:
  Arena& arena_;
  Value* items_;
  uint32_t size_ = 0, capacity_;
};

/// left + right of two lists; the left one's memory is used further where that is possible.
const List* concatenate(Arena& arena, const List& left, const List& right);

/// Sets or replaces an entry. @throws Failure(TypeError) for a key that cannot be hashed.
void insert(Runtime& runtime, Dict& dict, const Value& key, const Value& value);
Dict* make_dict(Runtime& runtime, size_t reserve = 0);

/// How deep lists may lie in lists when they are printed or compared.
inline constexpr int kMaxNesting = 400;

}  // namespace burnish::jinja
