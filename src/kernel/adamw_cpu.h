// AdamW and the squared norm on fp32 in memory, `n` elements.
#pragma once

#include <cstdint>

namespace burnish::cpu {

/// The factors of one step, each rounded once from double.
struct AdamWFactors {
  float keep;  ///< 1 - lr * decay
  float gradient_scale;
  float one_minus_beta1;
  float beta2;
  float one_minus_beta2;
  float root_correction;  ///< sqrt(1 - beta2^step)
  float epsilon;
  float step_size;  ///< lr / (1 - beta1^step)
};
void adamw(int64_t n, float* w, const float* g, float* m, float* v, const AdamWFactors& factors);

double sum_of_squares(int64_t n, const float* x);

}  // namespace burnish::cpu
