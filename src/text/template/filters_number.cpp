#include <algorithm>
#include <cmath>

#include "text/template/filters.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

Value filter_abs(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("abs", arguments, {});
  if (input.is_index()) return input.index() < 0 ? negate(input) : unary_plus(input);
  if (input.is(Type::real)) return Value::of(std::abs(input.real)).with_origin(input.tag());
  if (input.is(Type::big_integer)) {
    return input.view().starts_with('-') ? negate(input) : input;  // the first fails, with reason
  }
  fail("TypeError", "bad operand type for abs(): '" + std::string(type_name(input)) + "'");
}

int64_t truncated(double value) {
  if (std::isnan(value)) fail("ValueError", "cannot convert float NaN to integer");
  if (!(std::abs(value) < 9.2e18)) {
    fail("OverflowError", "cannot convert float " + repr_of_real(value) + " to integer");
  }
  return static_cast<int64_t>(value);
}

Value filter_int(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("int", arguments, {"default", "base"});
  const Value otherwise = given.has(0) ? given.get(0) : Value::of(int64_t{0});
  if (input.is_undefined()) fail_undefined(input);
  if (input.is_index()) return unary_plus(input);
  if (input.is(Type::big_integer)) return input;
  if (input.is(Type::real)) {
    if (std::isnan(input.real)) return otherwise;
    return Value::of(truncated(input.real)).with_origin(input.tag());
  }
  if (!input.is_string()) return otherwise;
  const auto base = static_cast<int>(given.integer(1, 10));
  if (const auto integer = parse_integer(input.view(), base)) {
    return make_integer(runtime, *integer, input.tag());
  }
  const auto real = parse_real(input.view());  // "42.23" is 42
  if (!real || !std::isfinite(*real)) return otherwise;
  return Value::of(truncated(*real)).with_origin(input.tag());
}

Value filter_float(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("float", arguments, {"default"});
  if (input.is_undefined()) fail_undefined(input);
  if (input.is_number()) return Value::of(input.number()).with_origin(input.tag());
  if (input.is_string() || input.is(Type::big_integer)) {
    if (const auto real = parse_real(input.view())) {
      return Value::of(*real).with_origin(input.tag());
    }
  }
  return given.has(0) ? given.get(0) : Value::of(0.0);
}

[[noreturn]] void fail_overflow() {
  fail("OverflowError", "an integer of the template grows beyond 64 bits");
}

/// round(integer, -digits), half to even.
int64_t round_integer(int64_t value, int64_t digits) {
  constexpr int64_t kHalf = 5'000'000'000'000'000'000;  // of 10^19
  if (digits == 19 && (value > kHalf || value < -kHalf)) fail_overflow();
  if (digits > 18) return 0;
  int64_t scale = 1;
  for (int64_t i = 0; i < digits; ++i) scale *= 10;
  const int64_t rest = value % scale, down = value - rest;
  const int64_t twice = std::abs(rest) * 2;
  const bool away = twice > scale || (twice == scale && (down / scale) % 2 != 0);
  int64_t rounded = down;
  if (away && __builtin_add_overflow(down, value < 0 ? -scale : scale, &rounded)) fail_overflow();
  return rounded;
}

Value filter_round(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("round", arguments, {"precision", "method"});
  const std::string_view method = given.has(1) ? given.string(1)->view() : "common";
  if (method != "common" && method != "ceil" && method != "floor") {
    fail("FilterArgumentError", "method must be common, ceil or floor");
  }
  const int64_t precision = given.integer(0, 0);
  if (!input.is_number()) {
    if (input.is_undefined() && method != "common") fail_undefined(input);
    fail("TypeError", "type " + std::string(type_name(input)) + " doesn't define __round__ method");
  }
  if (method == "common") {
    if (input.is(Type::real)) {
      return Value::of(round_half_even(input.real, precision)).with_origin(input.tag());
    }
    const int64_t rounded = precision >= 0
                                ? input.index()
                                : round_integer(input.index(), -std::max<int64_t>(precision, -20));
    return Value::of(rounded).with_origin(input.tag());
  }
  const double scale = std::pow(10.0, static_cast<double>(precision));
  const double scaled = input.number() * scale;
  if (!std::isfinite(scaled)) fail("OverflowError", "cannot convert float infinity to integer");
  const double whole = method == "ceil" ? std::ceil(scaled) : std::floor(scaled);
  return Value::of(whole / scale + 0.0).with_origin(input.tag());
}

Value filter_filesizeformat(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("filesizeformat", arguments, {"binary"});
  const Value size = filter_float(runtime, input, {});
  const bool binary = is_true(runtime, given.get(0));
  const double base = binary ? 1024 : 1000;
  double bytes = size.real;
  if (bytes == 1) return runtime.text("1 Byte", input.tag());
  if (bytes < base) return runtime.text(std::to_string(truncated(bytes)) + " Bytes", input.tag());
  constexpr const char* kPrefixes[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
  double unit = base;
  size_t prefix = 0;
  while (prefix + 1 < std::size(kPrefixes) && bytes >= unit * base) {
    unit *= base;
    ++prefix;
  }
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.1f ", bytes / unit);
  std::string text = buffer;
  text += binary && prefix == 0 ? "K" : kPrefixes[prefix];
  return runtime.text(text + (binary ? "iB" : "B"), input.tag());
}

constexpr NamedFilter kFilters[] = {
    {"int", filter_int},
    {"float", filter_float},
    {"round", filter_round},
    {"abs", filter_abs},
    {"filesizeformat", filter_filesizeformat},
};

}  // namespace

std::span<const NamedFilter> number_filters() {
  return kFilters;
}

}  // namespace burnish::jinja
