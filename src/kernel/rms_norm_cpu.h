// RMSNorm on fp32 rows in memory. T tokens, E embedding.
#pragma once

#include <cstdint>

namespace burnish::cpu {

struct NormForward {
  int64_t T, E;
  const float* x_TE;
  const float* residual_TE;  ///< null: the norm of x alone
  const float* w_E;
  float eps;
  float* sum_TE;  ///< residual + x; unused without residual
  float* y_TE;
  float* r_T;  ///< 1 / sqrt(mean(x^2) + eps)
};
void rms_norm_forward(const NormForward& arguments);

struct NormBackward {
  int64_t T, E;
  const float* g_TE;      ///< gradient of y
  const float* g_sum_TE;  ///< gradient of residual + x that came another way; may be null
  const float* x_TE;      ///< what was normalised
  const float* w_E;
  const float* r_T;
  float* gx_TE;  ///< null: not wanted
  float* gw_E;   ///< added to, in an order that depends on T alone; null: not wanted
};
void rms_norm_backward(const NormBackward& arguments);

}  // namespace burnish::cpu
