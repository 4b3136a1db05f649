#include "recipe/import/source_value.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "recipe/number_text.h"

namespace burnish::foreign {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// 1 for true, 0 for false, -1 for neither.
int truth(const std::string& text) {
  static constexpr std::array kYes = {"true", "yes", "on", "y", "1"};
  static constexpr std::array kNo = {"false", "no", "off", "n", "0"};
  const std::string word = lower(text);
  const auto is = [&](const char* other) { return word == other; };
  if (std::any_of(kYes.begin(), kYes.end(), is)) return 1;
  return std::any_of(kNo.begin(), kNo.end(), is) ? 0 : -1;
}

}  // namespace

std::string text_of(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::scalar) node.fail("must be one value, not " + node.shown());
  if (node.text.find('\0') != std::string::npos) node.fail("holds a NUL character");
  return node.text;
}

bool flag_of(const YamlNode& node) {
  const int value = truth(text_of(node));
  if (value < 0) node.fail("must be true or false, not " + node.shown());
  return value == 1;
}

double number_of(const YamlNode& node) {
  const std::optional<double> value = parse_number(text_of(node));
  if (!value || !std::isfinite(*value)) node.fail("must be a number, not " + node.shown());
  return *value;
}

int64_t whole_of(const YamlNode& node, int64_t low, int64_t high) {
  const double value = number_of(node);
  if (std::trunc(value) != value || value < static_cast<double>(low) ||
      value > static_cast<double>(high))
    node.fail("must be a whole number, " + std::to_string(low) + " to " + std::to_string(high) +
              ", not " + node.shown());
  return static_cast<int64_t>(value);
}

bool is_neutral(const YamlNode& node, std::string_view fallback) {
  if (node.kind == YamlNode::Kind::null) return true;
  const bool off =
      fallback == "null" || fallback == "false" || fallback == "[]" || fallback == "{}";
  if (node.kind != YamlNode::Kind::scalar) return off && node.items.empty();
  if (node.text.empty()) return off;
  const int value = truth(node.text), normal = truth(std::string(fallback));
  if (off && value == 0) return true;
  if (value >= 0 && value == normal) return true;
  const auto number = parse_number(node.text), usual = parse_number(fallback);
  if (number && usual) return *number == *usual;
  return lower(node.text) == lower(std::string(fallback));
}

}  // namespace burnish::foreign
