#include "kernel/swiglu_cpu.h"

#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/swiglu_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

void swiglu_forward_range(int64_t begin, int64_t end, const float* gate, const float* up,
                          float* y) {
  for_vectors(begin, end, [&](auto at) HWY_ATTR {
    const VF x = at.load(gate);
    at.store(hn::Mul(hn::Mul(x, sigmoid(x)), at.load(up)), y);
  });
}

// d silu(x) / dx = s (1 + x (1 - s)), s = sigmoid(x)
void swiglu_backward_range(int64_t begin, int64_t end, const float* g, const float* gate,
                           const float* up, float* g_gate, float* g_up) {
  const VF one = hn::Set(F(), 1.0f);
  for_vectors(begin, end, [&](auto at) HWY_ATTR {
    const VF x = at.load(gate);
    const VF s = sigmoid(x);
    const VF gy = at.load(g);
    const VF slope = hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one));
    if (g_gate) at.store(hn::Mul(hn::Mul(gy, at.load(up)), slope), g_gate);
    if (g_up) at.store(hn::Mul(gy, hn::Mul(x, s)), g_up);
  });
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
namespace {
HWY_EXPORT(swiglu_forward_range);
HWY_EXPORT(swiglu_backward_range);
constexpr int64_t elements_a_task = 1 << 14;
}  // namespace

void swiglu_forward(int64_t n, const float* gate, const float* up, float* y) {
  for_ranges(n, elements_a_task, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(swiglu_forward_range)(begin, end, gate, up, y);
  });
}

void swiglu_backward(int64_t n, const float* g, const float* gate, const float* up, float* g_gate,
                     float* g_up) {
  for_ranges(n, elements_a_task, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(swiglu_backward_range)(begin, end, g, gate, up, g_gate, g_up);
  });
}

}  // namespace burnish::cpu
#endif
