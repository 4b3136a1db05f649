// What a recipe says of data, as the data room takes it: the same for training and for looking.
#pragma once

#include <vector>

#include "data/dataset.h"
#include "recipe/recipe.h"

namespace burnish {

/// @param sources of data.train, or one evaluation set; not empty
/// Templates see the start of data.date, UTC; of today where the recipe gives none.
DatasetOptions dataset_options(const DataRecipe& data, const std::vector<DataSource>& sources);

PackOptions pack_options(const DataRecipe& data, bool shuffled);

}  // namespace burnish
