// What this machine's matrix products reach, so that a run can say which share of it it uses.
#pragma once

#include <c10/core/ScalarType.h>

namespace burnish {

/// GFLOP/s of matrix products (kernel/product.h) with all threads, over those of one transformer
/// block (forward and both gradients), measured for about `seconds`.
/// @param dtype of weights and activations; gradients of 16-bit weights are summed in fp32
double measure_matrix_gflops(double seconds, at::ScalarType dtype = at::kFloat);

}  // namespace burnish
