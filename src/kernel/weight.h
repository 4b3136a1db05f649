// A parameter as kernels see it, and where its gradient goes.
#pragma once

#include <ATen/core/Tensor.h>

namespace burnish {

/// `value` is a leaf. Where the parameter is trained, `value` requires a gradient, and a kernel's
/// backward adds to `gradient` in place (fp32 or wider, the shape of `value`): autograd itself gets
/// an undefined gradient for it. Adding in place is right for tied uses and allocates nothing.
/// Frozen: `gradient` is undefined and no weight gradient is computed.
/// `master`, if defined, holds the exact weights: the optimizer changes them, and `value` is what
/// they round to.
struct Weight {
  at::Tensor value;
  at::Tensor gradient;
  at::Tensor master = {};
  bool trained() const { return gradient.defined(); }
};

}  // namespace burnish
