// Rotary position embedding. Su et al., "RoFormer: Enhanced Transformer with Rotary Position
// Embedding", 2021, section 3.2; pairs are (j, j + D) of a head, the half-split form of Llama.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/segments.h"

namespace burnish {

/// Cosines and sines for P positions and D pairs (half of the rotated part of a head), fp32 on the
/// CPU.
struct RopeTable {
  at::Tensor cos_PD;
  at::Tensor sin_PD;
  int64_t num_positions() const { return cos_PD.size(0); }
};

/// The angle is position * frequency in fp32, as transformers computes it; cosine and sine of that
/// fp32 angle, rounded to fp32. A model in fp64 uses the same fp32 values.
/// @param inverse_frequencies one a pair, e.g. theta^(-2j / head_dim)
/// @param attention_factor    multiplies both tables (yarn, longrope); 1 elsewhere
RopeTable make_rope_table(const std::vector<double>& inverse_frequencies, int64_t num_positions,
                          double attention_factor = 1.0);

/// Rotates the first 2 D channels of each head; the rest passes through. T tokens, H heads.
/// The position of a token is its offset in its segment plus `first_position` (tokens that a cache
/// holds already).
/// @throws Error(internal) where a position is outside of the table or shapes do not fit.
at::Tensor rope(const at::Tensor& x_THD, const RopeTable& table, const Segments& segments,
                int64_t first_position = 0);

/// The same out of ATen operations: any device and dtype.
namespace portable {
at::Tensor rope(const at::Tensor& x_THD, const RopeTable& table, const Segments& segments,
                int64_t first_position = 0);
}

}  // namespace burnish
