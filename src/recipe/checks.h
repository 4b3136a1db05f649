// What single keys cannot tell: impossible pairs, and settings without effect.
#pragma once

#include <string>
#include <vector>

#include "recipe/recipe.h"
#include "recipe/yaml_tree.h"

namespace burnish {

/// @throws Error(recipe) at the place of the key that cannot be.
void refuse_impossible_pairs(const Recipe& recipe, const YamlNode& root);

/// "PLACE: KEY has no effect: REASON", for keys that the recipe gives a value other than the
/// default.
std::vector<std::string> settings_without_effect(const Recipe& recipe, const YamlNode& root);

/// The node of a key ("a.b.0.c"), or nullptr where the recipe does not give it.
const YamlNode* find_node(const YamlNode& root, const std::string& path);

}  // namespace burnish
