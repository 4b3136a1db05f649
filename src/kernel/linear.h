// y = x W^T + b, with the gradients of W and b added to their buffers by the products themselves.
#pragma once

#include "kernel/weight.h"

namespace burnish {

/// T tokens, I inputs, O outputs. `bias_O` may be null.
/// Backward: the gradient of x only where x wants one; `weight.gradient += g^T x` in place, without
/// a temporary; `bias.gradient += ` the column sums of g. Any device and dtype; bf16 and fp16 are
/// summed in fp32.
/// @throws Error(internal) where shapes do not fit.
at::Tensor linear(const at::Tensor& x_TI, const Weight& weight_OI, const Weight* bias_O = nullptr);

}  // namespace burnish
