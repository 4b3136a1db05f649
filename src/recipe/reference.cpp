#include <algorithm>

#include "recipe/recipe.h"
#include "recipe/schema.h"

namespace burnish {
namespace {

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// The first part of "data.train[].source"; empty for a key outside all groups.
std::string group_of(const std::string& path) {
  const size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string row_of(const KeyDescription& key) {
  const std::string fallback =
      key.fallback == "required" ? key.fallback : "`" + cell(key.fallback) + "`";
  return "| `" + key.path + "` | " + cell(key.type) + " | " + fallback + " | " + cell(key.unit) +
         " | " + cell(key.meaning) + " |\n";
}

}  // namespace

std::string recipe_reference() {
  const std::vector<KeyDescription>& keys = recipe_codec().keys;
  std::vector<std::string> groups = {""};
  for (const KeyDescription& key : keys)
    if (const std::string group = group_of(key.path);
        std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(group);
  std::string out;
  for (const std::string& group : groups) {
    out += (out.empty() ? "### " : "\n### ") + (group.empty() ? "outside all groups" : group) +
           "\n\n| key | type | default | unit | meaning |\n|---|---|---|---|---|\n";
    for (const KeyDescription& key : keys)
      if (group_of(key.path) == group) out += row_of(key);
  }
  return out;
}

}  // namespace burnish
