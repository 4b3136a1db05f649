// Rotary embedding on fp32 in memory. T tokens, H heads of C channels, D pairs.
#pragma once

#include <cstdint>

namespace burnish::cpu {

struct Rope {
  int64_t T, H, C, D;
  const float* x_THC;
  const float* cos_PD;
  const float* sin_PD;
  const int64_t* positions_T;
  float direction;  ///< 1 rotates, -1 rotates back (the gradient)
  float* y_THC;
};
void rope(const Rope& arguments);

}  // namespace burnish::cpu
