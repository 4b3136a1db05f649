#include "kernel/rms_norm_cpu.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/rms_norm_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

void forward_row(const NormForward& a, int64_t t) {
  const F d;
  const float* x = a.x_TE + t * a.E;
  VF squares = hn::Zero(d);
  if (a.residual_TE) {
    const float* residual = a.residual_TE + t * a.E;
    float* sum = a.sum_TE + t * a.E;
    for_vectors(0, a.E, [&](auto at) HWY_ATTR {
      const VF v = hn::Add(at.load(residual), at.load(x));
      at.store(v, sum);
      squares = hn::MulAdd(v, v, squares);
    });
    x = sum;
  } else {
    for_vectors(0, a.E, [&](auto at) HWY_ATTR {
      const VF v = at.load(x);
      squares = hn::MulAdd(v, v, squares);
    });
  }
  const float r = 1.0f / std::sqrt(sum_of_lanes(squares) / static_cast<float>(a.E) + a.eps);
  a.r_T[t] = r;
  float* y = a.y_TE + t * a.E;
  for_vectors(0, a.E, [&](auto at) HWY_ATTR {
    at.store(hn::Mul(at.load(a.w_E), hn::Mul(at.load(x), hn::Set(d, r))), y);
  });
}

void norm_forward_rows(const NormForward& a, int64_t begin, int64_t end) {
  for (int64_t t = begin; t < end; ++t) forward_row(a, t);
}

// n = x r, y = w n:  gx = r (w g - n mean(w g n)),  gw = sum over rows of g n
void norm_backward_rows(const NormBackward& a, int64_t begin, int64_t end, float* gw_E) {
  const F d;
  for (int64_t t = begin; t < end; ++t) {
    const float* g = a.g_TE + t * a.E;
    const float* x = a.x_TE + t * a.E;
    const VF r = hn::Set(d, a.r_T[t]);
    VF dot = hn::Zero(d);
    for_vectors(0, a.E, [&](auto at) HWY_ATTR {
      const VF gn = hn::Mul(at.load(g), hn::Mul(at.load(x), r));
      dot = hn::MulAdd(gn, at.load(a.w_E), dot);
      if (gw_E) at.store(hn::Add(at.load(gw_E), gn), gw_E);
    });
    if (!a.gx_TE) continue;
    const VF mean = hn::Set(d, sum_of_lanes(dot) / static_cast<float>(a.E));
    float* gx = a.gx_TE + t * a.E;
    const float* g_sum = a.g_sum_TE ? a.g_sum_TE + t * a.E : nullptr;
    for_vectors(0, a.E, [&](auto at) HWY_ATTR {
      const VF n = hn::Mul(at.load(x), r);
      const VF inner = hn::NegMulAdd(n, mean, hn::Mul(at.load(g), at.load(a.w_E)));
      at.store(g_sum ? hn::MulAdd(inner, r, at.load(g_sum)) : hn::Mul(inner, r), gx);
    });
  }
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
namespace {
HWY_EXPORT(norm_forward_rows);
HWY_EXPORT(norm_backward_rows);
constexpr int64_t rows_a_task = 16;
}  // namespace

void rms_norm_forward(const NormForward& arguments) {
  for_ranges(arguments.T, rows_a_task, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(norm_forward_rows)(arguments, begin, end);
  });
}

void rms_norm_backward(const NormBackward& arguments) {
  const int64_t E = arguments.E;
  // blocks of rows that depend on T alone: the same sums for any number of threads
  const int64_t rows = std::max(rows_a_task, at::divup(arguments.T, 64));
  const int64_t blocks = at::divup(arguments.T, rows);
  std::vector<float> partial(arguments.gw_E ? blocks * E : 0);
  for_ranges(blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) HWY_DYNAMIC_DISPATCH(norm_backward_rows)
    (arguments, b * rows, std::min(arguments.T, (b + 1) * rows),
     arguments.gw_E ? partial.data() + b * E : nullptr);
  });
  if (!arguments.gw_E) return;
  for (int64_t b = 0; b < blocks; ++b)
    for (int64_t e = 0; e < E; ++e) arguments.gw_E[e] += partial[b * E + e];
}

}  // namespace burnish::cpu
#endif
