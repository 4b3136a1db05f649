// The head and its loss as one operation: logits exist only for positions with a target, one chunk
// at a time, and their gradients are made at once, in the forward pass.
#pragma once

#include <cstdint>
#include <span>

#include "base/labels.h"
#include "kernel/weight.h"

namespace burnish {

struct CrossEntropyResult {
  at::Tensor loss;      ///< 0-d, fp64: sum over targets of -log p, times loss_scale
  int64_t targets = 0;  ///< positions with a target
  int64_t correct = 0;  ///< of these, the ones where the label has the largest logit
};

/// T tokens, E embedding, V vocabulary. `labels` (T of them) are shifted already: position t's
/// label is the token that follows t, or kIgnoreLabel.
/// With gradients enabled: `weight.gradient += d loss / d weight` happens here, and d loss / d x is
/// kept for the backward pass, whose incoming gradient must be 1 (checked there). Without (NoGrad):
/// no gradients. Without targets: loss 0, no gradient.
/// @param loss_scale e.g. 1 / the step's global number of targets
/// @throws Error(internal) where shapes do not fit or a label is outside of the vocabulary.
CrossEntropyResult linear_cross_entropy(const at::Tensor& x_TE, const Weight& weight_VE,
                                        std::span<const int32_t> labels, double loss_scale);

/// The same with the softmax out of ATen operations: any device and dtype.
namespace portable {
CrossEntropyResult linear_cross_entropy(const at::Tensor& x_TE, const Weight& weight_VE,
                                        std::span<const int32_t> labels, double loss_scale);
}

}  // namespace burnish
