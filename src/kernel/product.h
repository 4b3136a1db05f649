// Matrix products whatever the dtype: bf16 and fp16 are multiplied as they are and summed in fp32.
#pragma once

#include <ATen/core/Tensor.h>

namespace burnish {

/// a b, in the dtype of `a`. bf16 and fp16: summed in fp32 and rounded once. On the CPU that is as
/// fast as fp32 where the processor has no instructions for them, and faster where it has.
at::Tensor product(const at::Tensor& a_MK, const at::Tensor& b_KN);

/// out = a b. `out` is of the dtype of `a` and `b`, or fp32 beside bf16 and fp16: then nothing is
/// rounded to the narrow type.
void product_into(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN);

/// out += a b, dtypes as for product_into.
void add_product(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN);

}  // namespace burnish
