// Softmax and its gradient on fp32 rows of logits in memory, in place.
#pragma once

#include <cstdint>
#include <span>

namespace burnish::cpu {

struct SoftmaxLoss {
  double nll = 0.0;     ///< sum over rows of -log p(label)
  int64_t correct = 0;  ///< rows whose label has the largest logit (the first of equals)
};

/// One row of V logits a label. With `gradient_scale` not null the logits become
/// (softmax - one_hot(label)) * *gradient_scale; otherwise they are left as scratch.
SoftmaxLoss softmax_loss(float* logits_NV, int64_t V, std::span<const int64_t> labels_N,
                         const float* gradient_scale);

}  // namespace burnish::cpu
