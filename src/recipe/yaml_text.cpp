#include "recipe/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "recipe/number_text.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

/// Whether every YAML reader takes the bare text for this text: a word or a path that is neither a
/// number nor a word with a meaning of its own.
bool is_safe_bare(const std::string& text) {
  static constexpr std::array kWords = {"null", "true", "false", "yes", "no", "on",
                                        "off",  "y",    "n",     "nan", "inf"};
  if (text.empty()) return false;
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '/' || c == '.' || c == '-' || c == '+';
  });
  const auto first = static_cast<unsigned char>(text[0]);
  const bool starts_well = std::isalpha(first) != 0 || first == '/' || first == '_' ||
                           (first == '.' && text.size() > 1 && (text[1] == '/' || text[1] == '.'));
  return plain && starts_well && std::none_of(kWords.begin(), kWords.end(), [&](const char* word) {
           return lower == word;
         });
}

bool is_list_of_groups(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

void append(std::string& out, const Json& value, const std::string& indent);

void append_members(std::string& out, const Json& group, const std::string& indent,
                    bool first_indented) {
  bool first = true;
  for (const auto& [key, member] : group.items()) {
    if (!first || first_indented) out += indent;
    first = false;
    out += is_safe_bare(key) ? key : Json(key).dump();
    append(out, member, indent);
  }
}

/// What stands behind "key": a value on the same line, or a block below it.
void append(std::string& out, const Json& value, const std::string& indent) {
  if (value.is_object() && !value.empty()) {
    out += ":\n";
    append_members(out, value, indent + "  ", true);
  } else if (is_list_of_groups(value)) {
    out += ":\n";
    for (const Json& item : value) {
      out += indent + "  - ";
      append_members(out, item, indent + "    ", false);
    }
  } else {
    out += ": " + yaml_value(value) + "\n";
  }
}

}  // namespace

std::string yaml_value(const Json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_string() && is_safe_bare(value.get_ref<const std::string&>())) return value;
  if (!value.is_array()) return value.dump();
  std::string out = "[";
  for (const Json& item : value) out += (out.size() > 1 ? ", " : "") + yaml_value(item);
  return out + "]";
}

std::string yaml_text(const Json& value) {
  std::string out;
  append_members(out, value, "", true);
  return out;
}

}  // namespace burnish
