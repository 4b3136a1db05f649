// Every key of a recipe, declared once.
#pragma once

#include "recipe/codec.h"
#include "recipe/recipe.h"

namespace burnish {

/// The whole recipe; `keys` lists every key in the order of the file.
const Codec<Recipe>& recipe_codec();

/// A recipe from its keys, checked. @throws as parse_recipe does, at the nodes' places.
LoadedRecipe recipe_from_tree(YamlNode root);

/// Its groups.
Codec<DataRecipe> data_codec();
Codec<TrainRecipe> train_codec();
Codec<OptimizerRecipe> optimizer_codec();

}  // namespace burnish
