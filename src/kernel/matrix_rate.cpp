// T tokens, E embedding, I intermediate channels.
#include "kernel/matrix_rate.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>

#include <chrono>

namespace burnish {

double measure_matrix_gflops(double seconds) {
  using Clock = std::chrono::steady_clock;
  const at::NoGradGuard no_grad;
  constexpr int64_t T = 512, E = 768, I = 2048;
  const at::Tensor x_TE = at::rand({T, E}), w_IE = at::rand({I, E}), g_TI = at::rand({T, I});
  at::Tensor y_TI = at::mm(x_TE, w_IE.t()), gx_TE = at::mm(g_TI, w_IE);
  at::Tensor gw_IE = at::mm(g_TI.t(), x_TE);  // the first round warms up
  int64_t rounds = 0;
  const auto start = Clock::now();
  double elapsed_s = 0.0;
  do {
    at::mm_out(y_TI, x_TE, w_IE.t());
    at::mm_out(gx_TE, g_TI, w_IE);
    gw_IE.addmm_(g_TI.t(), x_TE, /*beta=*/0.0);
    ++rounds;
    elapsed_s = std::chrono::duration<double>(Clock::now() - start).count();
  } while (elapsed_s < seconds);
  return 3.0 * 2.0 * T * E * I * static_cast<double>(rounds) / elapsed_s * 1e-9;
}

}  // namespace burnish
