#include <cmath>
#include <cstdio>

#include "text/template/format.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

constexpr int64_t kMaxPrecision = 400;

std::string with_sign(std::string digits, bool negative, char sign) {
  if (negative) return "-" + digits;
  if (sign == '+' || sign == ' ') return sign + digits;
  return digits;
}

/// A separator between groups of `size` digits of the integer part.
std::string grouped(std::string text, char separator, size_t size) {
  if (separator == 0) return text;
  size_t end = text.find_first_not_of("0123456789abcdefABCDEF");
  if (end == std::string::npos) end = text.size();
  while (end > size) {
    end -= size;
    text.insert(end, 1, separator);
  }
  return text;
}

std::string in_base(uint64_t value, unsigned base, bool upper) {
  if (value == 0) return "0";
  const char* digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text;
  for (; value != 0; value /= base) text.insert(0, 1, digits[value % base]);
  return text;
}

std::string format_integer(int64_t value, const FormatSpec& spec) {
  const uint64_t size = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string text, prefix;
  switch (spec.type) {
    case 'b':
      text = in_base(size, 2, false);
      prefix = "0b";
      break;
    case 'o':
      text = in_base(size, 8, false);
      prefix = "0o";
      break;
    case 'x':
    case 'X':
      text = in_base(size, 16, spec.type == 'X');
      prefix = spec.type == 'x' ? "0x" : "0X";
      break;
    default:
      text = in_base(size, 10, false);
  }
  text = grouped(text, spec.grouping, prefix.empty() ? 3 : 4);
  if (spec.alternate) text = prefix + text;
  return with_sign(text, value < 0, spec.sign);
}

std::string printed(double value, const char* letter, int64_t precision, bool alternate) {
  const std::string format = std::string("%") + (alternate ? "#" : "") + ".*" + letter;
  char buffer[1200];
  std::snprintf(buffer, sizeof buffer, format.c_str(), static_cast<int>(precision), value);
  return buffer;
}

std::string format_real(double value, const FormatSpec& spec) {
  const double size = std::abs(value);
  const bool negative = std::signbit(value) && !std::isnan(value);
  const int64_t precision = spec.precision < 0 ? 6 : std::min(spec.precision, kMaxPrecision);
  std::string text;
  if (!std::isfinite(value)) {
    text = std::isnan(value) ? "nan" : "inf";
    if (spec.type == 'E' || spec.type == 'F' || spec.type == 'G') {
      for (char& c : text) c = static_cast<char>(c - 32);
    }
    if (spec.type == '%') text += "%";
    return with_sign(text, negative, spec.sign);
  }
  switch (spec.type) {
    case 'e':
    case 'E':
    case 'f':
    case 'F': {
      const char letter[] = {spec.type, 0};
      text = printed(size, letter, precision, spec.alternate);
      break;
    }
    case 'g':
    case 'G':
    case 'n': {
      const char letter[] = {spec.type == 'G' ? 'G' : 'g', 0};
      text = printed(size, letter, std::max<int64_t>(precision, 1), spec.alternate);
      break;
    }
    case '%':
      text = printed(size * 100, "f", precision, spec.alternate) + "%";
      break;
    default:
      if (spec.precision < 0) {
        text = repr_of_real(size);
      } else {
        text = printed(size, "g", std::max<int64_t>(precision, 1), spec.alternate);
        const bool whole = text.find_first_of(".e") == std::string::npos;
        if (whole) text += ".0";
      }
  }
  return with_sign(grouped(text, spec.grouping, 3), negative, spec.sign);
}

}  // namespace

std::string format_number(const Value& number, const FormatSpec& spec) {
  if (spec.type == 'c') {
    if (!number.is_index() || number.index() < 0 || number.index() > 0x10ffff ||
        (number.index() >= 0xd800 && number.index() < 0xe000)) {
      fail("OverflowError", "%c arg not in range(0x110000)");
    }
    std::string text;
    append_utf8(text, static_cast<char32_t>(number.index()));
    return text;
  }
  const bool as_real =
      spec.type != 0 && std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos;
  if (number.is(Type::big_integer)) {
    if (as_real || (spec.type != 0 && spec.type != 'd' && spec.type != 'n')) {
      fail("OverflowError", "an integer of the template grows beyond 64 bits");
    }
    const std::string_view digits = number.view();
    const bool negative = digits.starts_with('-');
    return with_sign(grouped(std::string(digits.substr(negative ? 1 : 0)), spec.grouping, 3),
                     negative, spec.sign);
  }
  if (number.is_index() && !as_real) {
    if (spec.precision >= 0) {
      fail("ValueError", "Precision not allowed in integer format specifier");
    }
    return format_integer(number.index(), spec);
  }
  return format_real(number.number(), spec);
}

void append_padded(TextBuilder& out, const Str& text, const FormatSpec& spec, char default_align,
                   const Tag& tag) {
  const auto length = static_cast<int64_t>(text.character_count());
  const int64_t missing = std::max<int64_t>(0, spec.width - length);
  const char align = spec.align != 0 ? spec.align : default_align;
  const auto fill = [&](int64_t count) { out.repeat(spec.fill, static_cast<size_t>(count), tag); };
  if (align == '=') {
    size_t sign =
        text.size > 0 && std::string_view("+- ").find(text.data[0]) != std::string_view::npos ? 1
                                                                                              : 0;
    if (spec.alternate && spec.type != 0 &&
        std::string_view("boxX").find(spec.type) != std::string_view::npos)
      sign += 2;
    out.append(text, 0, sign);
    fill(missing);
    out.append(text, sign);
    return;
  }
  fill(align == '>' ? missing : align == '^' ? missing / 2 : 0);
  out.append(text);
  fill(align == '<' ? missing : align == '^' ? missing - missing / 2 : 0);
}

}  // namespace burnish::jinja
