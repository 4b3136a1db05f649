#include "recipe/number_text.h"

#include <charconv>
#include <limits>

namespace burnish {
namespace {

std::string_view without_plus(std::string_view text) {
  const bool signed_twice = text.size() > 1 && (text[1] == '-' || text[1] == '+');
  return !text.empty() && text[0] == '+' && !signed_twice ? text.substr(1) : text;
}

}  // namespace

std::optional<int64_t> parse_whole(std::string_view text) {
  text = without_plus(text);
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  text = without_plus(text);
  const std::string_view bare = !text.empty() && text[0] == '-' ? text.substr(1) : text;
  if (bare == ".inf" || bare == ".Inf" || bare == ".INF")
    return std::numeric_limits<double>::infinity();
  if (bare == ".nan" || bare == ".NaN" || bare == ".NAN")
    return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (failure == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  if (failure != std::errc()) return std::nullopt;
  return value;
}

std::string number_text(double value) {
  std::string text = short_number(value);
  const size_t exponent = text.find('e');
  if (text.find('.') == std::string::npos)
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  return text;
}

std::string short_number(double value) {
  char digits[64];
  const auto [end, failure] = std::to_chars(digits, digits + sizeof digits, value);
  return failure == std::errc() ? std::string(digits, end) : std::to_string(value);
}

}  // namespace burnish
