// Causal attention in tiles on fp32 in memory. T queries, S keys, H query heads, K key-value heads,
// D channels. All tensors are contiguous; lse is the logarithm of each softmax's sum.
#pragma once

#include <cstdint>
#include <vector>

#include "base/segments.h"

namespace burnish::cpu {

struct AttentionShape {
  int64_t H, K, D;
  float scale;
  int64_t group() const { return H / K; }
};

/// Queries and keys that belong together: a segment of a row, or a cache and its newest tokens.
struct AttentionSpan {
  int64_t first_query, queries;
  int64_t first_key, keys;
  /// Keys that stand before the first query: query i sees keys 0 .. i + history.
  int64_t history() const { return keys - queries; }
};
std::vector<AttentionSpan> spans_of(const Segments& segments);

struct AttentionForward {
  AttentionShape shape;
  const float *q_THD, *k_SKD, *v_SKD;
  float* out_THD;
  float* lse_TH;  ///< null: not wanted
};
void attention_forward(const AttentionForward& arguments, const std::vector<AttentionSpan>& spans);

struct AttentionBackward {
  AttentionShape shape;
  int64_t T;
  const float *q_THD, *k_TKD, *v_TKD, *out_THD, *lse_TH, *g_THD;
  float *gq_THD, *gk_TKD, *gv_TKD;
};
void attention_backward(const AttentionBackward& arguments, const Segments& segments);

/// One query a head over S keys, S at least 1.
void attention_decode(const AttentionShape& shape, int64_t S, const float* q_HD, const float* k_SKD,
                      const float* v_SKD, float* out_HD);

}  // namespace burnish::cpu
