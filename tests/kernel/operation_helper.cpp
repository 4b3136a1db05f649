#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/random.h"
#include "kernel/operation.h"
#include "kernel/targets.h"
// after targets.h: it decides which instruction sets are compiled in
#include "hwy/highway.h"

namespace burnish::test {
namespace {

Tensors leaves(const Tensors& values, at::ScalarType dtype) {
  Tensors out;
  for (const auto& v : values) out.push_back(v.to(dtype).clone().set_requires_grad(true));
  return out;
}

Weights all_trained(const Tensors& values, at::ScalarType dtype,
                    std::optional<at::ScalarType> gradient_dtype) {
  Weights out;
  for (const auto& v : values) out.push_back(trained(v.to(dtype), gradient_dtype));
  return out;
}

Tensors rounded(const Tensors& values, at::ScalarType dtype) {
  Tensors out;
  for (const auto& v : values) out.push_back(v.to(dtype).to(at::kDouble));
  return out;
}

// sum of outputs * fixed random numbers
at::Tensor probe(const Tensors& outputs) {
  at::Tensor sum;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const at::Tensor term =
        (outputs[i].to(at::kDouble) * random(outputs[i].sizes(), 1000 + i)).sum();
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

double value_at(const Operation& operation, const Tensors& activations, const Tensors& weights) {
  const at::NoGradGuard no_grad;
  Weights frozen_weights;
  for (const auto& w : weights) frozen_weights.push_back(frozen(w));
  return probe(operation(activations, frozen_weights)).item<double>();
}

double largest_of(const at::Tensor& t) {
  return t.numel() == 0 ? 0.0 : t.detach().to(at::kDouble).abs().max().item<double>();
}

void expect_close(const Tensors& ours, const Tensors& theirs, double tolerance, const char* what) {
  ASSERT_EQ(ours.size(), theirs.size());
  double largest = 0.0;
  for (const auto& t : theirs) largest = std::max(largest, largest_of(t));
  for (size_t i = 0; i < ours.size(); ++i)
    EXPECT_LE(relative_error(ours[i], theirs[i], 0.1 * largest), tolerance) << what << " " << i;
}

void expect_same_bits(const Tensors& a, const Tensors& b, const char* what) {
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << what << " " << i;
}

}  // namespace

at::Tensor random(at::IntArrayRef shape, uint64_t seed) {
  at::Tensor out = at::empty(shape, at::kDouble);
  const CounterRandom draws(seed, 7);
  for (int64_t i = 0; i < out.numel(); ++i)
    out.data_ptr<double>()[i] = static_cast<float>(2.0 * draws.uniform(i) - 1.0);
  return out;
}

Weight trained(const at::Tensor& value, std::optional<at::ScalarType> gradient_dtype) {
  at::Tensor leaf = value.detach().clone().set_requires_grad(true);
  return {leaf, at::zeros_like(leaf).detach().to(gradient_dtype.value_or(leaf.scalar_type()))};
}

Weight frozen(const at::Tensor& value) {
  return {value.detach().clone(), {}};
}

Outcome run(const Operation& operation, const Tensors& activations, const Tensors& weights,
            at::ScalarType dtype, std::optional<at::ScalarType> gradient_dtype) {
  const Tensors x = leaves(activations, dtype);
  const Weights w = all_trained(weights, dtype, gradient_dtype);
  Outcome out;
  out.outputs = operation(x, w);
  probe(out.outputs).backward();
  for (const auto& leaf : x)
    out.activation_gradients.push_back(leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf));
  for (const auto& weight : w) {
    EXPECT_FALSE(weight.value.grad().defined()) << "autograd got a weight's gradient";
    out.weight_gradients.push_back(weight.gradient);
  }
  return out;
}

double relative_error(const at::Tensor& a, const at::Tensor& b, double floor) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  if (a.numel() == 0) return 0.0;
  const at::NoGradGuard no_grad;
  const double difference = (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
  const double largest = std::max(largest_of(b), floor);
  if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
  return difference == 0.0 ? 0.0 : difference / largest;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return at::equal(a, b);
}

void expect_gradients(const Operation& operation, const Tensors& activations,
                      const Tensors& weights) {
  const Outcome exact = run(operation, activations, weights, at::kDouble);
  Tensors gradients = exact.activation_gradients, values = activations;
  gradients.insert(gradients.end(), exact.weight_gradients.begin(), exact.weight_gradients.end());
  values.insert(values.end(), weights.begin(), weights.end());
  for (size_t i = 0; i < values.size(); ++i)
    for (uint64_t trial = 0; trial < 3; ++trial) {
      const at::Tensor direction = random(values[i].sizes(), 77 + 10 * i + trial);
      const auto moved = [&](double step) {
        Tensors at_step = values;
        at_step[i] = values[i] + direction * step;
        const auto border = at_step.begin() + static_cast<int64_t>(activations.size());
        return value_at(operation, {at_step.begin(), border}, {border, at_step.end()});
      };
      constexpr double step = 1e-6;
      const double difference = (moved(step) - moved(-step)) / (2.0 * step);
      const double expected = (gradients[i] * direction).sum().item<double>();
      // rounding of the two sums of about 1e3 terms, divided by the step
      EXPECT_NEAR(difference, expected, 1e-6 * (1.0 + std::abs(expected))) << "input " << i;
    }
}

void expect_same(const Operation& kernel, const Operation& portable, const Tensors& activations,
                 const Tensors& weights, double tolerance) {
  const Outcome right = run(portable, activations, weights, at::kDouble);
  for_each_target([&](const char* name) {
    SCOPED_TRACE(name);
    const Outcome ours = run(kernel, activations, weights, at::kFloat);
    expect_close(ours.outputs, right.outputs, tolerance, "output");
    expect_close(ours.activation_gradients, right.activation_gradients, tolerance,
                 "gradient of activation");
    expect_close(ours.weight_gradients, right.weight_gradients, tolerance, "gradient of weight");
    const Outcome again = run(kernel, activations, weights, at::kFloat);
    expect_same_bits(ours.outputs, again.outputs, "output");
    expect_same_bits(ours.activation_gradients, again.activation_gradients, "gradient");
    expect_same_bits(ours.weight_gradients, again.weight_gradients, "gradient of weight");
  });
}

void expect_same_in_16_bits(const Operation& kernel, const Operation& portable,
                            const Tensors& activations, const Tensors& weights, double roundings) {
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    SCOPED_TRACE(dtype == at::kBFloat16 ? "bf16" : "fp16");
    const double tolerance = roundings * (dtype == at::kBFloat16 ? 0x1p-9 : 0x1p-12);
    const Outcome right =
        run(portable, rounded(activations, dtype), rounded(weights, dtype), at::kDouble);
    for (const auto gradient_dtype : {at::kFloat, dtype}) {
      const Outcome ours = run(kernel, activations, weights, dtype, gradient_dtype);
      for (const auto& output : ours.outputs)
        EXPECT_TRUE(output.scalar_type() == dtype || output.dim() == 0);
      expect_close(ours.outputs, right.outputs, tolerance, "output");
      expect_close(ours.activation_gradients, right.activation_gradients, tolerance,
                   "gradient of activation");
      expect_close(ours.weight_gradients, right.weight_gradients, tolerance, "gradient of weight");
    }
  }
}

void for_each_target(const std::function<void(const char* name)>& body) {
  const auto choose = [](int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    choose(target);
    body(hwy::TargetName(target));
  }
  choose(0);
}

}  // namespace burnish::test
