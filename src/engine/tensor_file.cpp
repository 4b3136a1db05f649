#include "engine/tensor_file.h"

#include <ATen/core/grad_mode.h>

#include "base/error.h"

namespace burnish {

at::ScalarType scalar_type_of(DType dtype, const std::string& name) {
  switch (dtype) {
    case DType::f64:
      return at::kDouble;
    case DType::f32:
      return at::kFloat;
    case DType::f16:
      return at::kHalf;
    case DType::bf16:
      return at::kBFloat16;
    case DType::i64:
      return at::kLong;
    default:
      throw Error(ErrorCode::unsupported, "a parameter of type " + std::string(torch_name(dtype)),
                  name);
  }
}

DType dtype_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kDouble:
      return DType::f64;
    case at::kFloat:
      return DType::f32;
    case at::kHalf:
      return DType::f16;
    case at::kBFloat16:
      return DType::bf16;
    case at::kLong:
      return DType::i64;
    default:
      throw Error(ErrorCode::internal,
                  std::string("a tensor of type ") + toString(tensor.scalar_type()));
  }
}

TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor, DType dtype) {
  const at::ScalarType type = scalar_type_of(dtype, name);
  return {name, dtype, tensor.sizes().vec(), [tensor, type](const auto& sink) {
            at::NoGradGuard no_grad;
            const at::Tensor converted = tensor.detach().to(type).contiguous();
            sink({static_cast<const std::byte*>(converted.const_data_ptr()), converted.nbytes()});
          }};
}

TensorToWrite tensor_to_write(const std::string& name, const at::Tensor& tensor) {
  return tensor_to_write(name, tensor, dtype_of(tensor));
}

}  // namespace burnish
