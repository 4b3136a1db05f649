#include "train/loss_scale.h"

#include <algorithm>

namespace burnish {
namespace {

constexpr double kFirst = 65536.0, kLargest = 0x1p60;
constexpr int64_t kGrowthInterval = 2000;

}  // namespace

LossScale::LossScale(const PrecisionRecipe& precision)
    : in_use_(precision.compute == "fp16"),
      dynamic_(in_use_ && !precision.loss_scale),
      value_(in_use_ ? precision.loss_scale.value_or(kFirst) : 1.0) {}

void LossScale::restore(double value, int64_t steps_since_change) {
  if (!dynamic_) return;
  value_ = value;
  steps_since_change_ = steps_since_change;
}

bool LossScale::after_step(bool overflowed) {
  if (!dynamic_) return false;
  if (overflowed) {
    const bool halves = value_ > 1.0;
    value_ = std::max(1.0, value_ / 2.0);
    steps_since_change_ = 0;
    return halves;
  }
  if (++steps_since_change_ == kGrowthInterval) {
    value_ = std::min(kLargest, value_ * 2.0);
    steps_since_change_ = 0;
  }
  return false;
}

}  // namespace burnish
