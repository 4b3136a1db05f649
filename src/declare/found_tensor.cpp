#include "declare/found_tensor.h"

namespace burnish {

int64_t FoundTensor::num_elements() const {
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  return count;
}

bool FoundTensor::holds_weights() const {
  return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

}  // namespace burnish
