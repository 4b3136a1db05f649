// silu(gate) * up, the gated linear unit of Llama's feed-forward. Shazeer, "GLU Variants Improve
// Transformer", 2020.
#pragma once

#include <ATen/core/Tensor.h>

namespace burnish {

/// T tokens, I intermediate channels. Saves gate and up alone.
at::Tensor swiglu(const at::Tensor& gate_TI, const at::Tensor& up_TI);

/// The same out of ATen operations: any device and dtype.
namespace portable {
at::Tensor swiglu(const at::Tensor& gate_TI, const at::Tensor& up_TI);
}

}  // namespace burnish
