// What a position is trained to predict.
#pragma once

#include <cstdint>

namespace burnish {

/// The label of a position that has no target, as in transformers and torch.
inline constexpr int32_t kIgnoreLabel = -100;

}  // namespace burnish
