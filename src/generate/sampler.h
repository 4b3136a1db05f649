// From logits to one token.
#pragma once

#include <cstdint>
#include <span>

#include "engine_door.h"

namespace burnish {

/// Temperature 0: the largest logit (the lowest id on ties). Otherwise softmax(logits /
/// temperature), cut to the top_k largest, then to the smallest set of probability top_p, then to
/// tokens of at least min_p times the largest probability, as transformers orders them; the draw is
/// number `index` of the seed's stream.
int32_t sample_token(std::span<const float> logits, const SamplingOptions& options, uint64_t index);

/// @throws Error(usage) for a negative temperature, a top_p outside (0, 1], ...
void check_sampling(const SamplingOptions& options);

}  // namespace burnish
