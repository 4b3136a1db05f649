#include "kernel/linear_cross_entropy_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/linear_cross_entropy_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

float largest_of(const float* x, int64_t n) {
  VF largest = hn::Set(F(), -std::numeric_limits<float>::infinity());
  const int64_t lanes = hn::Lanes(F());
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) largest = hn::Max(hn::LoadU(F(), x + i), largest);
  float out = max_of_lanes(largest);
  for (; i < n; ++i) out = std::max(out, x[i]);
  return out;
}

// x <- exp(x - largest); their sum, in fp64 over blocks that are short enough for fp32.
double exp_and_sum(float* x, int64_t n, float largest) {
  constexpr int64_t block = 512;
  const VF shift = hn::Set(F(), largest);
  double sum = 0.0;
  for (int64_t begin = 0; begin < n; begin += block) {
    VF block_sum = hn::Zero(F());
    for_vectors(begin, std::min(n, begin + block), [&](auto at) HWY_ATTR {
      const VF e = exp(hn::Sub(at.load(x), shift));
      block_sum = hn::Add(block_sum, at.only(e));
      at.store(e, x);
    });
    sum += sum_of_lanes(block_sum);
  }
  return sum;
}

SoftmaxLoss softmax_loss_row(float* x, int64_t V, int64_t label, const float* gradient_scale) {
  const float largest = largest_of(x, V);
  const float chosen = x[label];
  const bool correct = chosen == largest && std::find(x, x + label, largest) == x + label;
  const double sum = exp_and_sum(x, V, largest);
  if (gradient_scale) {
    const VF factor = hn::Set(F(), static_cast<float>(*gradient_scale / sum));
    for_vectors(0, V, [&](auto at) HWY_ATTR { at.store(hn::Mul(at.load(x), factor), x); });
    x[label] -= *gradient_scale;
  }
  // the difference first: it is exact where the logits are large
  return {std::log(sum) + (static_cast<double>(largest) - chosen), correct ? 1 : 0};
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
HWY_EXPORT(softmax_loss_row);

SoftmaxLoss softmax_loss(float* logits_NV, int64_t V, std::span<const int64_t> labels_N,
                         const float* gradient_scale) {
  std::vector<SoftmaxLoss> rows(labels_N.size());
  for_ranges(static_cast<int64_t>(rows.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n)
      rows[n] =
          HWY_DYNAMIC_DISPATCH(softmax_loss_row)(logits_NV + n * V, V, labels_N[n], gradient_scale);
  });
  SoftmaxLoss total;
  for (const SoftmaxLoss& row : rows) {
    total.nll += row.nll;
    total.correct += row.correct;
  }
  return total;
}

}  // namespace burnish::cpu
#endif
