#include "text/template/operators.h"

#include <cmath>
#include <functional>

#include "text/template/iterate.h"
#include "text/template/markup.h"
#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

const char* symbol(Arithmetic operation) {
  constexpr const char* kSymbols[] = {"+", "-", "*", "/", "//", "%", "** or pow()"};
  return kSymbols[static_cast<int>(operation)];
}

[[noreturn]] void fail_operands(const char* symbol, const Value& left, const Value& right) {
  fail("TypeError", "unsupported operand type(s) for " + std::string(symbol) + ": '" +
                        std::string(type_name(left)) + "' and '" + std::string(type_name(right)) +
                        "'");
}

[[noreturn]] void fail_overflow() {
  fail("OverflowError", "an integer of the template grows beyond 64 bits");
}

/// The origin of a calculated number: the message's, if one operand comes from one.
Tag joint_origin(const Value& left, const Value& right) {
  return left.tag() == Tag{} ? right.tag() : left.tag();
}

int64_t integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) fail_overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) fail_overflow();
  }
  return result;
}

int64_t floor_divide(int64_t left, int64_t right) {
  if (right == 0) fail("ZeroDivisionError", "integer division or modulo by zero");
  if (right == -1) {
    int64_t result = 0;
    if (__builtin_sub_overflow(int64_t{0}, left, &result)) fail_overflow();
    return result;
  }
  const int64_t quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

int64_t floor_modulo(int64_t left, int64_t right) {
  if (right == 0) fail("ZeroDivisionError", "integer division or modulo by zero");
  if (right == -1) return 0;  // the smallest integer % -1 overflows
  const int64_t rest = left % right;
  return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
}

Value calculate_integers(Arithmetic operation, int64_t left, int64_t right) {
  int64_t result = 0;
  switch (operation) {
    case Arithmetic::add:
      if (__builtin_add_overflow(left, right, &result)) fail_overflow();
      return Value::of(result);
    case Arithmetic::subtract:
      if (__builtin_sub_overflow(left, right, &result)) fail_overflow();
      return Value::of(result);
    case Arithmetic::multiply:
      if (__builtin_mul_overflow(left, right, &result)) fail_overflow();
      return Value::of(result);
    case Arithmetic::divide:
      if (right == 0) fail("ZeroDivisionError", "division by zero");
      return Value::of(static_cast<double>(left) / static_cast<double>(right));
    case Arithmetic::floor_divide:
      return Value::of(floor_divide(left, right));
    case Arithmetic::modulo:
      return Value::of(floor_modulo(left, right));
    case Arithmetic::power:
      if (right < 0) {
        if (left == 0) fail("ZeroDivisionError", "0.0 cannot be raised to a negative power");
        return Value::of(std::pow(static_cast<double>(left), static_cast<double>(right)));
      }
      return Value::of(integer_power(left, right));
  }
  return {};
}

double float_modulo(double left, double right) {
  double result = std::fmod(left, right);
  if (result != 0) {
    if ((right < 0) != (result < 0)) result += right;
  } else {
    result = std::copysign(0.0, right);
  }
  return result;
}

Value calculate_reals(Arithmetic operation, double left, double right) {
  const bool divides = operation == Arithmetic::divide || operation == Arithmetic::floor_divide ||
                       operation == Arithmetic::modulo;
  if (divides && right == 0) fail("ZeroDivisionError", "float division by zero");
  switch (operation) {
    case Arithmetic::add:
      return Value::of(left + right);
    case Arithmetic::subtract:
      return Value::of(left - right);
    case Arithmetic::multiply:
      return Value::of(left * right);
    case Arithmetic::divide:
      return Value::of(left / right);
    case Arithmetic::floor_divide:
      return Value::of(std::floor((left - float_modulo(left, right)) / right + 0.5));
    case Arithmetic::modulo:
      return Value::of(float_modulo(left, right));
    case Arithmetic::power: {
      if (left == 0 && right < 0) {
        fail("ZeroDivisionError", "0.0 cannot be raised to a negative power");
      }
      const double result = std::pow(left, right);
      if (std::isnan(result) && !std::isnan(left) && !std::isnan(right)) {
        fail("TypeError", "a negative number to a fractional power is complex");
      }
      if (std::isinf(result) && std::isfinite(left) && std::isfinite(right)) {
        fail("OverflowError", "(34, 'Numerical result out of range')");
      }
      return Value::of(result);
    }
  }
  return {};
}

Value add_texts(Runtime& runtime, const Str& left, const Str& right) {
  runtime.charge(right.size / 64);
  if (!left.markup && !right.markup) {
    return Value::of(concatenate(runtime.arena, left, right));
  }
  const Str* joined =
      concatenate(runtime.arena, *with_markup(runtime.arena, *escape(runtime, left), false),
                  *with_markup(runtime.arena, *escape(runtime, right), false));
  return Value::of(with_markup(runtime.arena, *joined, true));
}

Value repeat(Runtime& runtime, const Value& value, int64_t count) {
  if (count < 0) count = 0;
  if (value.is_string()) {
    const Str& text = *value.text;
    const auto times = static_cast<size_t>(count);
    if (text.size != 0 && times > runtime.arena.text_limit() / text.size) {
      fail("OverflowError", "a text repeated " + std::to_string(count) + " times is too long");
    }
    runtime.charge(text.size * times / 64 + times);
    TextBuilder builder(runtime.arena, text.size * times);
    for (size_t i = 0; i < times && text.size != 0; ++i) builder.append(text);
    return Value::of(builder.finish(text.markup));
  }
  const auto items = value.items();
  const size_t times = items.empty() ? 0 : static_cast<size_t>(count);
  if (times != 0 && times > (size_t{1} << 28) / items.size()) {
    fail("MemoryError", "a list repeated " + std::to_string(count) + " times is too long");
  }
  runtime.charge(items.size() * times);
  ListBuilder builder(runtime.arena, items.size() * times);
  for (size_t i = 0; i < times; ++i) {
    for (const Value& item : items) builder.append(item);
  }
  Value result = Value::list_of(builder.finish());
  result.type = value.type;
  return result;
}

}  // namespace

void fail_undefined(const Value& value) {
  const Undefined& reason = *value.undefined;
  if (!reason.hint.empty()) fail("UndefinedError", std::string(reason.hint));
  const std::string name(reason.name);
  if (reason.object_type.empty()) fail("UndefinedError", "'" + name + "' is undefined");
  const std::string object = std::string(reason.object_type) + " object";
  fail("UndefinedError", reason.is_attribute ? "'" + object + "' has no attribute '" + name + "'"
                                             : object + " has no element " + name);
}

Value calculate(Runtime& runtime, Arithmetic operation, const Value& left, const Value& right) {
  if (operation == Arithmetic::add && left.is_string() && right.is_string()) {
    return add_texts(runtime, *left.text, *right.text);
  }
  if (left.is_number() && right.is_number()) {
    const Value result = left.is_index() && right.is_index()
                             ? calculate_integers(operation, left.index(), right.index())
                             : calculate_reals(operation, left.number(), right.number());
    return result.with_origin(joint_origin(left, right));
  }
  if (operation == Arithmetic::modulo && left.is_string()) {
    return format_percent(runtime, *left.text, right);
  }
  if (left.is_undefined()) fail_undefined(left);
  if (right.is_undefined()) fail_undefined(right);
  if (operation == Arithmetic::add && left.is_sequence() && left.type == right.type) {
    runtime.charge(right.list->size);
    Value result = Value::list_of(concatenate(runtime.arena, *left.list, *right.list));
    result.type = left.type;
    return result.with_origin(joint_origin(left, right));
  }
  if (operation == Arithmetic::multiply) {
    if ((left.is_string() || left.is_sequence()) && right.is_index()) {
      return repeat(runtime, left, right.index());
    }
    if ((right.is_string() || right.is_sequence()) && left.is_index()) {
      return repeat(runtime, right, left.index());
    }
  }
  const bool big = left.is(Type::big_integer) || right.is(Type::big_integer);
  if (big && (left.is_number() || right.is_number() || left.type == right.type)) fail_overflow();
  fail_operands(symbol(operation), left, right);
}

Value negate(const Value& value) {
  if (value.is(Type::real)) return Value::of(-value.real).with_origin(value.tag());
  if (value.is_index()) {
    int64_t result = 0;
    if (__builtin_sub_overflow(int64_t{0}, value.index(), &result)) fail_overflow();
    return Value::of(result).with_origin(value.tag());
  }
  if (value.is_undefined()) fail_undefined(value);
  if (value.is(Type::big_integer)) fail_overflow();
  fail("TypeError", "bad operand type for unary -: '" + std::string(type_name(value)) + "'");
}

Value unary_plus(const Value& value) {
  if (value.is_index()) return Value::of(value.index()).with_origin(value.tag());
  if (value.is(Type::real) || value.is(Type::big_integer)) return value;
  if (value.is_undefined()) fail_undefined(value);
  fail("TypeError", "bad operand type for unary +: '" + std::string(type_name(value)) + "'");
}

}  // namespace burnish::jinja
