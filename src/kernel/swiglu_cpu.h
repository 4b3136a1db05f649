// SwiGLU on fp32 in memory, `n` elements.
#pragma once

#include <cstdint>

namespace burnish::cpu {

void swiglu_forward(int64_t n, const float* gate, const float* up, float* y);

/// `g` is the gradient of y; a null output is not wanted.
void swiglu_backward(int64_t n, const float* g, const float* gate, const float* up, float* g_gate,
                     float* g_up);

}  // namespace burnish::cpu
