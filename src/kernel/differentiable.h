// Operations with a backward pass of their own, without the heavy autograd headers: those stay in
// differentiable.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "kernel/check.h"
#include "kernel/weight.h"

namespace burnish {

using Tensors = std::vector<at::Tensor>;

/// Computes the outputs; what the backward pass needs of activations goes into `saved`.
using Forward = std::function<Tensors(Tensors& saved)>;

/// @param saved     what the forward pass saved
/// @param gradients one for each output; undefined where none arrived
/// @param wanted    for each input, whether autograd wants its gradient
/// @returns a gradient for each input, undefined where there is none
using Backward = std::function<Tensors(const Tensors& saved, const Tensors& gradients,
                                       const std::vector<bool>& wanted)>;

/// Runs `forward` without recording and joins its outputs to the graph of `inputs` (all defined).
/// A trained weight's value must be among the inputs, or no backward pass runs where it alone wants
/// a gradient. What `backward` captures lives as long as the outputs (sizes, a weight's gradient
/// buffer); activations belong into `saved`, which is freed as the backward pass goes.
Tensors differentiable(const Tensors& inputs, const Forward& forward, Backward backward);

/// The value as an input of ATen operations whose gradient is added to `weight.gradient`.
at::Tensor tracked(const Weight& weight);

/// @throws Error(internal) where a buffer does not have the weight's shape, or where autograd would
/// never run the backward pass that fills it.
void check_weight(const Weight& weight, const char* operation);

}  // namespace burnish
