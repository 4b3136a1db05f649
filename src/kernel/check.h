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

/// Whether the CPU kernels take these tensors: fp32 in the memory of the CPU.
template <class... Tensors>
bool on_cpu_in_fp32(const Tensors&... tensors) {
  return ((tensors.device().is_cpu() && tensors.scalar_type() == at::kFloat) && ...);
}

}  // namespace burnish
