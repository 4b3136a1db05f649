#include <algorithm>

#include "recipe/recipe.h"
#include "recipe/schema.h"
#include "recipe/yaml_text.h"

namespace burnish {
namespace {

/// Lists of groups are compared item by item, other lists whole.
bool has_parts(const Json& value) {
  return value.is_object() || (value.is_array() && !value.empty() && value.front().is_object());
}

std::string shown(const Json* value) {
  return value == nullptr ? "(none)" : yaml_value(*value);
}

void compare(const std::string& path, const Json* before, const Json* after,
             std::vector<RecipeDifference>& found) {
  if (before != nullptr && after != nullptr && *before == *after) return;
  const bool parts =
      (before == nullptr || has_parts(*before) || before->empty()) &&
      (after == nullptr || has_parts(*after) || after->empty()) &&
      ((before != nullptr && has_parts(*before)) || (after != nullptr && has_parts(*after)));
  if (!parts) {
    found.push_back({path, shown(before), shown(after)});
    return;
  }
  std::vector<std::string> names;
  for (const Json* side : {before, after}) {
    if (side == nullptr) continue;
    for (const auto& [name, value] : side->items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const auto part_of = [](const Json* side, const std::string& name) -> const Json* {
    if (side == nullptr) return nullptr;
    if (side->is_object()) return side->contains(name) ? &side->at(name) : nullptr;
    const size_t index = std::stoul(name);
    return index < side->size() ? &side->at(index) : nullptr;
  };
  for (const std::string& name : names)
    compare(path.empty() ? name : path + "." + name, part_of(before, name), part_of(after, name),
            found);
}

}  // namespace

std::vector<RecipeDifference> differences(const Recipe& before, const Recipe& after) {
  const Json left = recipe_codec().write(before), right = recipe_codec().write(after);
  std::vector<RecipeDifference> found;
  compare("", &left, &right, found);
  return found;
}

}  // namespace burnish
