// What the operations of this room ask of their tensors.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/StringUtil.h>

#include "base/error.h"

namespace burnish {

/// @throws Error(internal) with the parts of `what` written one behind the other.
template <class... Parts>
void require(bool holds, const char* operation, const Parts&... what) {
  if (!holds) throw Error(ErrorCode::internal, c10::str(what...), operation);
}

inline bool is_half(at::ScalarType dtype) {
  return dtype == at::kBFloat16 || dtype == at::kHalf;
}

/// Whether the CPU kernels take these tensors: in the memory of the CPU, fp32 as they are, bf16 and
/// fp16 by way of `wide`.
template <class... Tensors>
bool on_cpu_up_to_fp32(const Tensors&... tensors) {
  return ((tensors.device().is_cpu() &&
           (tensors.scalar_type() == at::kFloat || is_half(tensors.scalar_type()))) &&
          ...);
}

/// What sums of `dtype` are made in: fp64 for fp64, else fp32.
inline at::ScalarType wide_dtype(at::ScalarType dtype) {
  return dtype == at::kDouble ? at::kDouble : at::kFloat;
}

/// What a CPU kernel reads: fp32, contiguous; the tensor itself where it is that already. Kernels
/// compute in fp32 throughout; a result in bf16 or fp16 is rounded once, at the operation's end.
inline at::Tensor wide(const at::Tensor& t) {
  return t.defined() ? t.to(at::kFloat).contiguous() : t;
}

}  // namespace burnish
