// RMSNorm: y = w * x / sqrt(mean(x^2) + eps). Zhang and Sennrich, "Root Mean Square Layer
// Normalization", NeurIPS 2019, equation 4; normalised first, then multiplied by w, as Llama does.
#pragma once

#include "kernel/weight.h"

namespace burnish {

/// T tokens, E embedding. Saves x and one number a token.
at::Tensor rms_norm(const at::Tensor& x_TE, const Weight& weight_E, double eps);

struct AddNorm {
  at::Tensor sum_TE;     ///< residual + x
  at::Tensor normed_TE;  ///< its norm
};

/// The residual connection and the norm behind it in one pass; both outputs are differentiable.
AddNorm add_rms_norm(const at::Tensor& x_TE, const at::Tensor& residual_TE, const Weight& weight_E,
                     double eps);

/// The same out of ATen operations: any device and dtype.
namespace portable {
at::Tensor rms_norm(const at::Tensor& x_TE, const Weight& weight_E, double eps);
AddNorm add_rms_norm(const at::Tensor& x_TE, const at::Tensor& residual_TE, const Weight& weight_E,
                     double eps);
}  // namespace portable

}  // namespace burnish
