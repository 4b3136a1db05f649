// Rows of a table, and their gradient added back in the order of the tokens.
#pragma once

#include <optional>

#include "kernel/weight.h"

namespace burnish {

/// `ids_T` is int64 or int32, T tokens; returns [T, E]. Backward adds each token's gradient to its
/// row of `weight.gradient`, the same bits on each run; the row `padding_idx` gets none.
/// @throws Error(internal) where an id is outside of the vocabulary V.
at::Tensor embedding(const at::Tensor& ids_T, const Weight& weight_VE,
                     std::optional<int64_t> padding_idx = std::nullopt);

}  // namespace burnish
