// `--set a.b=c`: values put over those of the file.
#pragma once

#include "recipe/recipe.h"
#include "recipe/yaml_tree.h"

namespace burnish {

/// Groups that are missing on the way are made; items of a list are named by number, the next one
/// is appended. @throws Error(recipe) at "--set KEY".
void apply_override(YamlNode& root, const RecipeOverride& change);

}  // namespace burnish
