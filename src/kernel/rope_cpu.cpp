#include "kernel/rope_cpu.h"

#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/rope_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

void rope_tokens(const Rope& a, int64_t begin, int64_t end) {
  const VF direction = hn::Set(F(), a.direction);
  for (int64_t t = begin; t < end; ++t) {
    const float* cos = a.cos_PD + a.positions_T[t] * a.D;
    const float* sin = a.sin_PD + a.positions_T[t] * a.D;
    for (int64_t h = 0; h < a.H; ++h) {
      const float* x = a.x_THC + (t * a.H + h) * a.C;
      float* y = a.y_THC + (t * a.H + h) * a.C;
      for_vectors(0, a.D, [&](auto at) HWY_ATTR {
        const VF first = at.load(x), second = at.load(x + a.D);
        const VF c = at.load(cos), s = hn::Mul(at.load(sin), direction);
        at.store(hn::NegMulAdd(second, s, hn::Mul(first, c)), y);
        at.store(hn::MulAdd(first, s, hn::Mul(second, c)), y + a.D);
      });
      for_vectors(2 * a.D, a.C, [&](auto at) HWY_ATTR { at.store(at.load(x), y); });
    }
  }
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
HWY_EXPORT(rope_tokens);

void rope(const Rope& arguments) {
  constexpr int64_t tokens_a_task = 32;
  for_ranges(arguments.T, tokens_a_task, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(rope_tokens)(arguments, begin, end);
  });
}

}  // namespace burnish::cpu
#endif
