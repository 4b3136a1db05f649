// One query a head: bound by reading keys and values, so each thread takes a stretch of keys, and
// the stretches' softmaxes are joined at the end.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernel/attention_cpu.h"
#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention_decode_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/tile_product-inl.h"

#ifndef BURNISH_ATTENTION_DECODE_STRETCH
#define BURNISH_ATTENTION_DECODE_STRETCH
namespace burnish::cpu {

constexpr int64_t keys_a_stretch = 256;

struct DecodeStretch {
  int64_t kv, first_key, keys;
};

/// What a stretch of keys gives for one head: softmax's largest score and sum, values not yet
/// divided by the sum.
struct DecodePart {
  float largest, sum;
  float* values_D;
};

}  // namespace burnish::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

HWY_INLINE float dot(const float* a, const float* b, int64_t n) {
  VF sum = hn::Zero(F());
  for_vectors(0, n,
              [&](auto piece) HWY_ATTR { sum = hn::MulAdd(piece.load(a), piece.load(b), sum); });
  return sum_of_lanes(sum);
}

/// `parts` has one entry for each head of the group.
void decode_stretch(const AttentionShape& shape, const DecodeStretch& at, const float* q_HD,
                    const float* k_SKD, const float* v_SKD, DecodePart* parts) {
  const auto [H, K, D, scale] = shape;
  const int64_t from = (at.first_key * K + at.kv) * D, group = shape.group();
  std::vector<float> scores(group * at.keys);
  for (int64_t s = 0; s < at.keys; ++s)
    for (int64_t g = 0; g < group; ++g)
      scores[g * at.keys + s] =
          dot(q_HD + (at.kv * group + g) * D, k_SKD + from + s * K * D, D) * scale;
  for (int64_t g = 0; g < group; ++g) {
    float* row = scores.data() + g * at.keys;
    parts[g].largest = *std::max_element(row, row + at.keys);
    VF sum = hn::Zero(F());
    for_vectors(0, at.keys, [&](auto piece) HWY_ATTR {
      const VF shifted = hn::Sub(piece.load(row), hn::Set(F(), parts[g].largest));
      const VF p = piece.only(exp(shifted));
      sum = hn::Add(sum, p);
      piece.store(p, row);
    });
    parts[g].sum = sum_of_lanes(sum);
  }
  for (int64_t g = 0; g < group; g += register_rows)
    row_block_product(std::min(register_rows, group - g), {scores.data() + g * at.keys, at.keys, 1},
                      {v_SKD + from, K * D}, {parts[g].values_D, D}, at.keys, D, false);
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
namespace {
HWY_EXPORT(decode_stretch);

void join(std::span<const DecodePart> parts, int64_t D, float* out_D) {
  float largest = parts[0].largest;
  for (const DecodePart& part : parts) largest = std::max(largest, part.largest);
  float sum = 0.0f;
  std::fill_n(out_D, D, 0.0f);
  for (const DecodePart& part : parts) {
    const float share = std::exp(part.largest - largest);
    sum += part.sum * share;
    for (int64_t d = 0; d < D; ++d) out_D[d] += part.values_D[d] * share;
  }
  for (int64_t d = 0; d < D; ++d) out_D[d] /= sum;
}

}  // namespace

void attention_decode(const AttentionShape& shape, int64_t S, const float* q_HD, const float* k_SKD,
                      const float* v_SKD, float* out_HD) {
  const auto [H, K, D, scale] = shape;
  const int64_t group = shape.group(), stretches = at::divup(S, keys_a_stretch);
  // [K, stretches, group]: what a stretch writes lies together
  std::vector<float> values(H * stretches * D);
  std::vector<DecodePart> parts(H * stretches);
  for (size_t i = 0; i < parts.size(); ++i) parts[i].values_D = values.data() + i * D;
  for_ranges(K * stretches, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % stretches * keys_a_stretch;
      const DecodeStretch at{i / stretches, first, std::min(keys_a_stretch, S - first)};
      HWY_DYNAMIC_DISPATCH(decode_stretch)
      (shape, at, q_HD, k_SKD, v_SKD, parts.data() + i * group);
    }
  });
  std::vector<DecodePart> of_head(stretches);
  for (int64_t h = 0; h < H; ++h) {
    for (int64_t s = 0; s < stretches; ++s)
      of_head[s] = parts[(h / group * stretches + s) * group + h % group];
    join(of_head, D, out_HD + h * D);
  }
}

}  // namespace burnish::cpu
#endif
