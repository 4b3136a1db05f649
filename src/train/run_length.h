// How many steps a run has.
#pragma once

#include <cstdint>
#include <optional>

#include "data/row_stream.h"
#include "recipe/recipe.h"

namespace burnish {

struct RunLength {
  int64_t steps_per_epoch = 0;
  /// Known from the start unless only `seconds` ends the run. With `tokens`, counted over the rows.
  std::optional<int64_t> total_steps;
};

/// Epochs may have a fraction: ceil(epochs * steps_per_epoch) steps.
/// @throws Error(recipe) for a schedule that needs the number of steps where it cannot be known.
RunLength run_length(const Recipe& recipe, const RowStream& stream);

}  // namespace burnish
