// `--set a.b=c`: values put over those of the file.
#pragma once

#include "recipe/recipe.h"
#include "recipe/yaml_tree.h"

namespace burnish {

/// Groups that are missing on the way are made; items of a list are named by number, the next one
/// is appended. @throws Error(recipe) at "--set KEY".
void apply_override(YamlNode& root, const RecipeOverride& change);

/// The same at a place of its own: the key and its value stand at `place` in messages.
void set_value(YamlNode& root, const RecipeOverride& change, const std::string& place);

}  // namespace burnish
