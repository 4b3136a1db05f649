// The BLAS's products of bf16 and fp16 with sums in fp32, where there are any.
#pragma once

#include <ATen/core/Tensor.h>

namespace burnish {

/// out = a b + beta out. `a` and `b` are both bf16 or both fp16, `out` is fp32 with rows in one
/// piece, all in the memory of the CPU.
void half_product(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN,
                  float beta);

/// What multiplies bf16 on this machine: "cblas_gemm_bf16bf16f32" of libtorch's BLAS, or "widened
/// to fp32" where the BLAS has no such product.
const char* half_product_name();

}  // namespace burnish
