// Python's operators on values. Comparisons ignore where a text comes from.
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

enum class Arithmetic : uint8_t { add, subtract, multiply, divide, floor_divide, modulo, power };
enum class Comparison : uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
};

Value calculate(Runtime& runtime, Arithmetic operation, const Value& left, const Value& right);
Value negate(const Value& value);
Value unary_plus(const Value& value);

bool is_true(Runtime& runtime, const Value& value);
bool equal(Runtime& runtime, const Value& left, const Value& right, int depth = 0);
bool less(Runtime& runtime, const Value& left, const Value& right, int depth = 0);
bool compare(Runtime& runtime, Comparison comparison, const Value& left, const Value& right);
bool contains(Runtime& runtime, const Value& container, const Value& item);
/// @throws Failure(TypeError) for lists and dicts.
size_t hash(Runtime& runtime, const Value& value, int depth = 0);
size_t hash(std::string_view text);

/// @throws Failure(UndefinedError) that says why the value is undefined.
[[noreturn]] void fail_undefined(const Value& value);

/// x % y with a text on the left.
Value format_percent(Runtime& runtime, const Str& format, const Value& arguments);

}  // namespace burnish::jinja
