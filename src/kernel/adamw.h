// AdamW in one pass over a tensor, and the squared norm that clipping needs. Loshchilov and Hutter,
// "Decoupled Weight Decay Regularization", ICLR 2019, algorithm 2.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace burnish {

struct AdamWStep {
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;  ///< added behind the root
  double weight_decay = 0.0;
  int64_t step = 1;             ///< counts from 1: the bias corrections are 1 - beta^step
  double gradient_scale = 1.0;  ///< multiplies the gradient on the fly (clipping)
};

/// weight *= 1 - lr * decay; moment1 = lerp(moment1, g, 1 - beta1); moment2 = beta2 moment2 +
/// (1 - beta2) g^2; weight -= lr / c1 * moment1 / (sqrt(moment2) / sqrt(c2) + eps). All four have
/// one shape. Arithmetic in fp32 or wider whatever the dtype of the weight.
/// @throws Error(internal) where shapes differ or the step is below 1.
void adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1, at::Tensor& moment2,
           const AdamWStep& step);

/// Sum of the squares of all elements, accumulated in fp64 in an order that depends on the number
/// of elements alone.
double sum_of_squares(const at::Tensor& values);

/// The same out of ATen operations: any device and dtype.
namespace portable {
void adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1, at::Tensor& moment2,
           const AdamWStep& step);
double sum_of_squares(const at::Tensor& values);
}  // namespace portable

}  // namespace burnish
