// Tensors on their way into a safetensors file.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "format/safetensors.h"

namespace burnish {

/// Of the types that runs compute with, and i64. @throws Error(internal) for another type.
DType dtype_of(const at::Tensor& tensor);

/// @throws Error(unsupported) for a type that holds no parameters; `name` says whose it is.
at::ScalarType scalar_type_of(DType dtype, const std::string& name);

/// `tensor` as `name`, written as `dtype`: converted (rounded to nearest even) one tensor at a
/// time, while the file is written. @throws Error(unsupported) for a type that holds no parameters.
TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor, DType dtype);
/// The same in the type that it has.
TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor);

}  // namespace burnish
