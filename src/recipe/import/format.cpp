#include <algorithm>
#include <array>

#include "recipe/import/detect.h"
#include "recipe/import/rule.h"

namespace burnish::foreign {

const KeyRow* Format::row(std::string_view key) const {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const KeyRow& candidate) { return candidate.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

bool Format::has_below(std::string_view key) const {
  return std::any_of(rows.begin(), rows.end(), [&](const KeyRow& candidate) {
    const std::string_view name = candidate.key;
    return name.size() > key.size() && name.starts_with(key) &&
           (name[key.size()] == '.' || name[key.size()] == '[');
  });
}

std::vector<std::string> Format::names_in(std::string_view group) const {
  const std::string before = group.empty() ? "" : std::string(group) + ".";
  std::vector<std::string> names;
  for (const KeyRow& candidate : rows) {
    if (!candidate.key.starts_with(before)) continue;
    const std::string_view rest = candidate.key.substr(before.size());
    std::string name(rest.substr(0, rest.find_first_of(".[")));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::span<const Format* const> all_formats() {
  static const std::array<const Format*, 4> formats = {
      &trl_format(), &axolotl_format(), &llama_factory_format(), &accelerate_format()};
  return formats;
}

}  // namespace burnish::foreign
