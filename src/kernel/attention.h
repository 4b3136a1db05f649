// Causal attention within segments: softmax(q k^T * scale) v, in tiles with an online softmax; only
// the logarithm of each softmax's sum is kept, the backward pass recomputes the rest. Dao,
// "FlashAttention-2", 2023, algorithms 1 and 2.
#pragma once

#include <ATen/core/Tensor.h>

#include "base/segments.h"

namespace burnish {

/// T tokens, H query heads, K key-value heads (H a multiple of K: key-value head j serves the query
/// heads j H/K ... (j+1) H/K - 1), D channels a head. A token sees itself and the tokens before it
/// in its segment; work outside of that is skipped, not masked.
/// @returns [T, H, D], contiguous
/// @throws Error(internal) where shapes do not fit.
at::Tensor attention(const at::Tensor& q_THD, const at::Tensor& k_TKD, const at::Tensor& v_TKD,
                     const Segments& segments, double scale);

/// Without autograd: the T queries are the last T of S positions whose keys and values a cache
/// holds. T = 1 is a decoding step.
at::Tensor attention_cached(const at::Tensor& q_THD, const at::Tensor& k_SKD,
                            const at::Tensor& v_SKD, double scale);

/// The same out of ATen operations: any device and dtype.
namespace portable {
at::Tensor attention(const at::Tensor& q_THD, const at::Tensor& k_TKD, const at::Tensor& v_TKD,
                     const Segments& segments, double scale);
at::Tensor attention_cached(const at::Tensor& q_THD, const at::Tensor& k_SKD,
                            const at::Tensor& v_SKD, double scale);
}  // namespace portable

}  // namespace burnish
