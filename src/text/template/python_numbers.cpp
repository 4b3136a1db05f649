#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

constexpr size_t kMaxDigits = 4300;  // Python's own limit on int() of a text

std::string trimmed(std::string_view text) {
  const size_t begin = skip_space(text);
  return std::string(text.substr(begin, end_without_space(text.substr(begin))));
}

/// Digits of any script become ASCII; false if another character is in the text.
bool to_ascii(std::string& text) {
  std::string ascii;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    const int digit = decimal_value(c);
    if (digit >= 0) {
      ascii += static_cast<char>('0' + digit);
    } else if (c < 0x80) {
      ascii += static_cast<char>(c);
    } else {
      return false;
    }
  }
  text = std::move(ascii);
  return true;
}

/// Removes underscores, which stand only between digits.
bool remove_underscores(std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
      continue;
    }
    const bool between = i > 0 && i + 1 < text.size() && std::isalnum(text[i - 1]) != 0 &&
                         std::isalnum(text[i + 1]) != 0;
    if (!between) return false;
  }
  text = std::move(plain);
  return true;
}

int prefix_base(const std::string& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 0;
  switch (digits[1] | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 0;
  }
}

}  // namespace

std::string repr_of_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view text(buffer, static_cast<size_t>(end.ptr - buffer));
  const size_t e = text.find('e');
  const int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  std::string sign, digits;
  for (char c : text.substr(0, e)) {
    if (c == '-') sign = "-";
    if (c >= '0' && c <= '9') digits += c;
  }
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    std::string result = sign + digits.substr(0, 1);
    if (count > 1) result += "." + digits.substr(1);
    const std::string power = std::to_string(std::abs(exponent));
    return result + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
  }
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  if (count <= exponent + 1) {
    return sign + digits + std::string(static_cast<size_t>(exponent + 1 - count), '0') + ".0";
  }
  const auto point = static_cast<size_t>(exponent + 1);
  return sign + digits.substr(0, point) + "." + digits.substr(point);
}

std::optional<ParsedInteger> parse_integer(std::string_view text, int base) {
  std::string digits = trimmed(text);
  if (!to_ascii(digits)) return std::nullopt;
  bool negative = false;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) {
    negative = digits[0] == '-';
    digits.erase(0, 1);
  }
  const int prefixed = prefix_base(digits);
  if (prefixed != 0 && (base == 0 || base == prefixed)) {
    base = prefixed;
    digits.erase(0, 2);
    if (!digits.empty() && digits[0] == '_') digits.erase(0, 1);
  } else if (base == 0) {
    base = 10;
    if (digits.size() > 1 && digits[0] == '0' &&
        digits.find_first_not_of("0_") != std::string::npos)
      return std::nullopt;
  }
  if (base < 2 || base > 36 || digits.empty() || digits.size() > kMaxDigits) return std::nullopt;
  if (!remove_underscores(digits)) return std::nullopt;
  ParsedInteger result;
  if (negative) digits.insert(0, 1, '-');
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, result.value, base);
  if (parsed.ptr != end) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) {
    if (base != 10) fail("OverflowError", "an integer of the template grows beyond 64 bits");
    const size_t first = digits.find_first_not_of("-0");
    result.digits = (negative ? "-" : "") + digits.substr(first);
  } else if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  return result;
}

std::optional<double> parse_real(std::string_view text) {
  std::string digits = trimmed(text);
  if (!to_ascii(digits) || digits.empty()) return std::nullopt;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] != '_') continue;
    const bool between = i > 0 && i + 1 < digits.size() && std::isdigit(digits[i - 1]) != 0 &&
                         std::isdigit(digits[i + 1]) != 0;
    if (!between) return std::nullopt;
  }
  std::erase(digits, '_');
  size_t first = 0;
  if (digits[0] == '+' || digits[0] == '-') first = 1;
  if (first >= digits.size()) return std::nullopt;
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data() + first, end, value);
  // from_chars also reads a second sign and nan(...), Python does not
  const bool odd = digits[first] == '-' || digits.find('(') != std::string::npos;
  if (odd || parsed.ptr != end) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) {
    value = std::strtod(digits.c_str() + first, nullptr);  // 0 or infinity
  } else if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  return digits[0] == '-' ? -value : value;
}

double round_half_even(double value, int64_t digits) {
  if (!std::isfinite(value) || digits > 330) return value;
  if (digits < -308) return std::copysign(0.0, value);
  if (digits >= 0) {
    char buffer[800];
    std::snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(digits), value);
    return std::strtod(buffer, nullptr);
  }
  const double scale = std::pow(10.0, static_cast<double>(-digits));
  return std::nearbyint(value / scale) * scale;
}

Value make_integer(Runtime& runtime, const ParsedInteger& integer, const Tag& tag) {
  if (integer.digits.empty()) return Value::of(integer.value).with_origin(tag);
  Value big = runtime.text(integer.digits);
  big.type = Type::big_integer;
  return big.with_origin(tag);
}

}  // namespace burnish::jinja
