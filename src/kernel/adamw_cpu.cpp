#include "kernel/adamw_cpu.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/adamw_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

void adamw_range(int64_t begin, int64_t end, float* w, const float* g, float* m, float* v,
                 const AdamWFactors& a) {
  const F d;
  for_vectors(begin, end, [&](auto at) HWY_ATTR {
    const VF gradient = hn::Mul(at.load(g), hn::Set(d, a.gradient_scale));
    const VF m_old = at.load(m);
    const VF m_new = hn::MulAdd(hn::Sub(gradient, m_old), hn::Set(d, a.one_minus_beta1), m_old);
    const VF v_new = hn::MulAdd(hn::Mul(gradient, gradient), hn::Set(d, a.one_minus_beta2),
                                hn::Mul(at.load(v), hn::Set(d, a.beta2)));
    const VF divisor =
        hn::Add(hn::Div(hn::Sqrt(v_new), hn::Set(d, a.root_correction)), hn::Set(d, a.epsilon));
    const VF decayed = hn::Mul(at.load(w), hn::Set(d, a.keep));
    at.store(m_new, m);
    at.store(v_new, v);
    at.store(hn::NegMulAdd(hn::Set(d, a.step_size), hn::Div(m_new, divisor), decayed), w);
  });
}

double squares_of_range(int64_t begin, int64_t end, const float* x) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> half;
  const int64_t lanes = hn::Lanes(dd);
  auto even = hn::Zero(dd), odd = hn::Zero(dd);
  int64_t i = begin;
  for (; i + 2 * lanes <= end; i += 2 * lanes) {
    const auto a = hn::PromoteTo(dd, hn::LoadU(half, x + i));
    const auto b = hn::PromoteTo(dd, hn::LoadU(half, x + i + lanes));
    even = hn::MulAdd(a, a, even);
    odd = hn::MulAdd(b, b, odd);
  }
  double sum = hn::GetLane(hn::SumOfLanes(dd, hn::Add(even, odd)));
  for (; i < end; ++i) sum += static_cast<double>(x[i]) * x[i];
  return sum;
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
namespace {
HWY_EXPORT(adamw_range);
HWY_EXPORT(squares_of_range);
constexpr int64_t elements_a_task = 1 << 15;
}  // namespace

void adamw(int64_t n, float* w, const float* g, float* m, float* v, const AdamWFactors& factors) {
  for_ranges(n, elements_a_task, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(adamw_range)(begin, end, w, g, m, v, factors);
  });
}

double sum_of_squares(int64_t n, const float* x) {
  const int64_t blocks = at::divup(n, elements_a_task);
  std::vector<double> sums(blocks);
  for_ranges(blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      sums[b] = HWY_DYNAMIC_DISPATCH(squares_of_range)(b * elements_a_task,
                                                       std::min(n, (b + 1) * elements_a_task), x);
  });
  double sum = 0.0;
  for (const double s : sums) sum += s;
  return sum;
}

}  // namespace burnish::cpu
#endif
