// An operation under test as a function of activations and weights, its gradients, and the two
// questions asked of each: are the gradients of the portable form right (finite differences, fp64),
// and does the CPU kernel give what the portable form gives in fp64, with every instruction set?
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernel/weight.h"

namespace burnish::test {

using Tensors = std::vector<at::Tensor>;
using Weights = std::vector<Weight>;
using Operation = std::function<Tensors(const Tensors& activations, const Weights& weights)>;

/// Values in [-1, 1), exact in fp32, the same on every machine.
at::Tensor random(at::IntArrayRef shape, uint64_t seed);

/// A leaf with a gradient buffer of zeros, of the value's type if no other is named.
Weight trained(const at::Tensor& value, std::optional<at::ScalarType> gradient_dtype = {});
Weight frozen(const at::Tensor& value);

struct Outcome {
  Tensors outputs, activation_gradients, weight_gradients;
};
/// Runs the operation on leaves of the given dtype, and backward from fixed random output
/// gradients.
Outcome run(const Operation& operation, const Tensors& activations, const Tensors& weights,
            at::ScalarType dtype, std::optional<at::ScalarType> gradient_dtype = {});

/// max |a - b| / max |b|; 0 for empty tensors, infinity for unlike shapes or NaN.
/// @param floor the least that is divided by: where b is a difference of much larger numbers
double relative_error(const at::Tensor& a, const at::Tensor& b, double floor = 0.0);

/// Whether all bits agree.
bool same_bits(const at::Tensor& a, const at::Tensor& b);

/// Along a few random directions: (f(x + e d) - f(x - e d)) / 2e against <gradient, d>, in fp64.
void expect_gradients(const Operation& operation, const Tensors& activations,
                      const Tensors& weights = {});

/// Outputs and gradients of `kernel` in fp32 against those of `portable` in fp64, relative to the
/// largest of each tensor (or a tenth of its fellows' largest: what is zero in exact arithmetic is
/// rounding here), for every instruction set of this machine; a second run gives the same bits.
void expect_same(const Operation& kernel, const Operation& portable, const Tensors& activations,
                 const Tensors& weights, double tolerance);

/// Outputs and gradients of `kernel` in bf16 and in fp16, with weight gradients in fp32 and in the
/// weights' type, against those of `portable` in fp64 from the same 16-bit numbers.
/// @param roundings allowed, of 2^-9 (bf16) and 2^-12 (fp16) of the largest of each tensor
void expect_same_in_16_bits(const Operation& kernel, const Operation& portable,
                            const Tensors& activations, const Tensors& weights, double roundings);

/// Calls `body` once with each instruction set that is compiled in and that this machine has.
void for_each_target(const std::function<void(const char* name)>& body);

/// Half a unit in the last place of fp32: what one rounding costs.
constexpr double rounding = 0x1.0p-24;

}  // namespace burnish::test
