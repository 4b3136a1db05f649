// What the user probably meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/yaml_tree.h"

namespace burnish {

/// The word of `words` that `typed` is most likely a slip of (edit distance of adjacent swaps,
/// insertions, deletions and replacements), if any is near enough.
std::optional<std::string> nearest(const std::string& typed, const std::vector<std::string>& words);

/// Error(recipe) for a key that is none of `siblings`, the keys of its group: with the nearest key
/// of the group, or the place in the recipe where a key of this name stands, or what other
/// trainers' name for it is called here.
[[noreturn]] void refuse_unknown_key(const YamlNode& member,
                                     const std::vector<std::string>& siblings);

}  // namespace burnish
