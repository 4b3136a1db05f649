// What this machine's matrix products reach, so that a run can say which share of it it uses.
#pragma once

namespace burnish {

/// fp32 GFLOP/s of at::mm with all threads, over the products of one transformer block (forward and
/// both gradients), measured for about `seconds`.
double measure_matrix_gflops(double seconds);

}  // namespace burnish
