// Data of the hub at a commit, whatever its branches become.
#pragma once

#include "hub/settings.h"
#include "recipe/recipe.h"

namespace burnish {

/// Names the commit in every source that is read from the hub. Asks the hub where one names a
/// branch or a tag. @throws Error(io), Error(interrupted)
void pin_data(DataRecipe& data, const HubSettings& settings);

/// The commits of a run's first start, for sources that are the same file and name no other commit.
void keep_pins(DataRecipe& data, const DataRecipe& before);

}  // namespace burnish
