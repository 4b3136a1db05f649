#pragma once

#include <string>

#include "data/dataset.h"
#include "recipe/recipe.h"

namespace burnish {

/// How the data room reads what a recipe says. @param set an evaluation set; empty: data.train
/// @throws Error(usage) for a set that the recipe does not have.
DatasetOptions dataset_options(const DataRecipe& data, const std::string& set);

PackOptions pack_options(const DataRecipe& data, bool shuffled);

}  // namespace burnish
