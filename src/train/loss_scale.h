// What keeps small gradients of fp16 from vanishing: the loss is multiplied on the way back, the
// gradients are divided again before clipping. Micikevicius et al., "Mixed Precision Training",
// ICLR 2018, section 3.2; grown and halved as torch.amp.GradScaler does.
#pragma once

#include <cstdint>
#include <optional>

#include "recipe/recipe.h"

namespace burnish {

class LossScale {
 public:
  /// 1 for good, unless the precision is fp16: then its `loss_scale`, or dynamic from 65,536.
  explicit LossScale(const PrecisionRecipe& precision);

  double value() const { return value_; }
  int64_t steps_since_change() const { return steps_since_change_; }
  bool in_use() const { return in_use_; }

  /// As a checkpoint holds it.
  void restore(double value, int64_t steps_since_change);

  /// After a step. Where it overflowed, a dynamic scale halves, down to 1; after 2,000 steps
  /// without it doubles. @returns whether an overflow was met by halving
  bool after_step(bool overflowed);

 private:
  bool in_use_, dynamic_;
  double value_;
  int64_t steps_since_change_ = 0;
};

}  // namespace burnish
