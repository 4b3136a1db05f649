// Tensors on their way into a safetensors file.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "format/safetensors.h"

namespace burnish {

/// f64, f32 or i64: what runs compute with. @throws Error(internal) for another type.
DType dtype_of(const at::Tensor& tensor);

/// `tensor` as `name`, written as `dtype`: converted (rounded to nearest even) one tensor at a
/// time, while the file is written. @throws Error(unsupported) for a type that holds no parameters.
TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor, DType dtype);
/// The same in the type that it has.
TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor);

}  // namespace burnish
