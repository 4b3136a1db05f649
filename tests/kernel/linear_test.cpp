#include "kernel/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

const Operation with_bias = [](const Tensors& x, const Weights& w) -> Tensors {
  return {linear(x[0], w[0], &w[1])};
};

TEST(Linear, GradientsByFiniteDifferences) {
  expect_gradients(with_bias, {random({7, 5}, 1)}, {random({3, 5}, 2), random({3}, 3)});
}

TEST(Linear, Fp32WithinRounding) {
  // dot products of up to 64 terms
  expect_same(with_bias, with_bias, {random({64, 33}, 1)}, {random({17, 33}, 2), random({17}, 3)},
              32 * rounding);
}

TEST(Linear, TiedUsesAddUp) {
  const at::Tensor x = random({4, 6}, 1), w = random({6, 6}, 2);
  const Weight once = trained(w), twice = trained(w);
  linear(x, once).sum().backward();
  (linear(x, twice) + linear(x, twice)).sum().backward();
  EXPECT_LE(relative_error(twice.gradient, once.gradient * 2.0), 1e-15);
}

TEST(Linear, InputWithoutGradientStillGivesTheWeightsGradient) {
  const Weight w = trained(random({3, 5}, 2));
  linear(random({2, 5}, 1), w).sum().backward();
  EXPECT_GT(w.gradient.abs().sum().item<double>(), 0.0);
}

TEST(Linear, FrozenWeightGetsNone) {
  const Weight w = frozen(random({3, 5}, 2));
  const at::Tensor x = random({2, 5}, 1).set_requires_grad(true);
  linear(x, w).sum().backward();
  EXPECT_TRUE(x.grad().defined());
  EXPECT_FALSE(w.value.grad().defined());
}

TEST(Linear, NoTokens) {
  const Weight w = trained(random({3, 5}, 2)), b = trained(random({3}, 3));
  const at::Tensor y = linear(at::zeros({0, 5}, at::kDouble), w, &b);
  EXPECT_EQ(y.sizes(), (std::vector<int64_t>{0, 3}));
  y.sum().backward();
  EXPECT_EQ(w.gradient.abs().sum().item<double>(), 0.0);
}

TEST(Linear, RefusesWhatDoesNotFit) {
  const Weight w = trained(random({3, 5}, 2)), b = trained(random({4}, 3));
  EXPECT_THROW(linear(random({2, 4}, 1), w), Error);
  EXPECT_THROW(linear(random({2, 5}, 1), w, &b), Error);
  const Weight lost{random({3, 5}, 2), at::zeros({3, 5}, at::kDouble)};
  EXPECT_THROW(linear(random({2, 5}, 1), lost), Error) << "its gradient would never be computed";
}

}  // namespace
}  // namespace burnish::test
