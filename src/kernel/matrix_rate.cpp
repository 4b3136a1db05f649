// T tokens, E embedding, I intermediate channels.
#include "kernel/matrix_rate.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>

#include <chrono>

#include "kernel/check.h"
#include "kernel/product.h"

namespace burnish {

double measure_matrix_gflops(double seconds, at::ScalarType dtype) {
  using Clock = std::chrono::steady_clock;
  const at::NoGradGuard no_grad;
  constexpr int64_t T = 512, E = 768, I = 2048;
  const at::Tensor x_TE = at::rand({T, E}).to(dtype), w_IE = at::rand({I, E}).to(dtype);
  const at::Tensor g_TI = at::rand({T, I}).to(dtype);
  const at::Tensor y_TI = product(x_TE, w_IE.t()), gx_TE = product(g_TI, w_IE);
  at::Tensor gw_IE = product(g_TI.t(), x_TE);  // the first round warms up
  if (is_half(dtype)) gw_IE = gw_IE.to(at::kFloat);
  int64_t rounds = 0;
  const auto start = Clock::now();
  double elapsed_s = 0.0;
  do {
    product_into(y_TI, x_TE, w_IE.t());
    product_into(gx_TE, g_TI, w_IE);
    product_into(gw_IE, g_TI.t(), x_TE);
    ++rounds;
    elapsed_s = std::chrono::duration<double>(Clock::now() - start).count();
  } while (elapsed_s < seconds);
  return 3.0 * 2.0 * T * E * I * static_cast<double>(rounds) / elapsed_s * 1e-9;
}

}  // namespace burnish
