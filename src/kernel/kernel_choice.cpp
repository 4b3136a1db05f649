#include "kernel/kernel_choice.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/kernel_choice.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {
int64_t this_target() {
  return HWY_TARGET;
}
}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish {
namespace cpu {
HWY_EXPORT(this_target);
int64_t chosen_target() {
  return HWY_DYNAMIC_DISPATCH(this_target)();
}
}  // namespace cpu

std::string kernel_targets() {
  return hwy::TargetName(cpu::chosen_target());
}

}  // namespace burnish
#endif
