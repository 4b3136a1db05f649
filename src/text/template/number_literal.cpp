#include "text/template/number_literal.h"

#include <charconv>
#include <cstdlib>

namespace burnish::jinja {
namespace {

bool is_digit_of(char c, int base) {
  const int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 99;
  return value < base;
}

/// Digits with single underscores between them; `at` moves behind.
std::string digits_at(std::string_view text, size_t& at, int base) {
  std::string digits;
  while (at < text.size()) {
    if (is_digit_of(text[at], base)) {
      digits += text[at++];
    } else if (text[at] == '_' && !digits.empty() && at + 1 < text.size() &&
               is_digit_of(text[at + 1], base)) {
      ++at;
    } else {
      break;
    }
  }
  return digits;
}

char character_at(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : '\0';
}

/// 16, 8 or 2 for 0x, 0o, 0b with a digit of that base behind it, where `digits` then points.
int base_of_prefix(std::string_view text, size_t at, size_t& digits) {
  if (character_at(text, at) != '0') return 10;
  const char marker = static_cast<char>(character_at(text, at + 1) | 0x20);
  const int base = marker == 'x' ? 16 : marker == 'o' ? 8 : marker == 'b' ? 2 : 10;
  digits = at + (character_at(text, at + 2) == '_' ? 3 : 2);
  return base != 10 && is_digit_of(character_at(text, digits), base) ? base : 10;
}

Token integer_of(std::string digits, int base, bool& fits) {
  Token token{TokenKind::integer, {}, std::move(digits)};
  const char* begin = token.text.data();
  fits = std::from_chars(begin, begin + token.text.size(), token.integer, base).ec == std::errc();
  if (fits) token.text.clear();
  return token;
}

/// A fraction and an exponent ("1.5e-3") behind the whole part's digits, if there is one.
std::string fraction_at(std::string_view text, size_t& at) {
  std::string result;
  if (character_at(text, at) == '.') {
    size_t behind = at + 1;
    const std::string fraction = digits_at(text, behind, 10);
    if (!fraction.empty()) {
      result = "." + fraction;
      at = behind;
    }
  }
  if (character_at(text, at) == 'e' || character_at(text, at) == 'E') {
    size_t behind = at + 1;
    const char sign = character_at(text, behind);
    const std::string written = sign == '+' || sign == '-' ? std::string(1, text[behind++]) : "";
    const std::string exponent = digits_at(text, behind, 10);
    if (!exponent.empty()) {
      result += "e" + written + exponent;
      at = behind;
    }
  }
  return result;
}

}  // namespace

Token read_number(std::string_view source, size_t& position, std::string& problem) {
  const size_t begin = position;
  bool fits = true;
  size_t prefixed = begin;
  if (const int base = base_of_prefix(source, begin, prefixed); base != 10) {
    position = prefixed;
    Token token = integer_of(digits_at(source, position, base), base, fits);
    if (!fits) problem = "the integer is beyond 64 bits";
    return token;
  }
  std::string digits = digits_at(source, position, 10);
  size_t end = position;
  const std::string fraction = fraction_at(source, end);
  // `a.0.1`: digits behind a dot are a position, not a fraction
  const bool after_dot = begin > 0 && source[begin - 1] == '.';
  if (!fraction.empty() && !after_dot) {
    position = end;
    Token token;
    token.kind = TokenKind::real;
    token.real = std::strtod((digits + fraction).c_str(), nullptr);
    return token;
  }
  if (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos) {
    position = begin;  // 007 is 00 and 7, as the original reads it
    while (character_at(source, position) == '0') ++position;
    digits = "0";
  }
  return integer_of(std::move(digits), 10, fits);
}

}  // namespace burnish::jinja
