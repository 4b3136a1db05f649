#include "kernel/rms_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

constexpr double eps = 1e-5;

Operation norm(at::Tensor (*f)(const at::Tensor&, const Weight&, double)) {
  return [f](const Tensors& x, const Weights& w) -> Tensors { return {f(x[0], w[0], eps)}; };
}

Operation add_norm(AddNorm (*f)(const at::Tensor&, const at::Tensor&, const Weight&, double)) {
  return [f](const Tensors& x, const Weights& w) -> Tensors {
    const AddNorm out = f(x[0], x[1], w[0], eps);
    return {out.sum_TE, out.normed_TE};
  };
}

TEST(RmsNorm, ByTheFormula) {
  const at::Tensor x = random({3, 10}, 1), w = random({10}, 2);
  const at::Tensor y = rms_norm(x, frozen(w), eps);
  for (int64_t t = 0; t < 3; ++t) {
    double squares = 0.0;
    for (int64_t e = 0; e < 10; ++e) squares += std::pow(x[t][e].item<double>(), 2);
    for (int64_t e = 0; e < 10; ++e)
      EXPECT_NEAR(y[t][e].item<double>(),
                  w[e].item<double>() * x[t][e].item<double>() / std::sqrt(squares / 10 + eps),
                  1e-14);
  }
}

TEST(RmsNorm, GradientsByFiniteDifferences) {
  expect_gradients(norm(portable::rms_norm), {random({5, 9}, 1)}, {random({9}, 2)});
  expect_gradients(add_norm(portable::add_rms_norm), {random({5, 9}, 1), random({5, 9}, 3)},
                   {random({9}, 2)});
}

TEST(RmsNorm, KernelWithinRounding) {
  // sums of up to 576 terms in at least four lanes, a weight gradient of up to 300 rows
  for (const auto& [T, E] : {std::pair{1, 3}, {1, 576}, {3, 7}, {17, 31}, {300, 64}, {1100, 8}}) {
    SCOPED_TRACE(testing::Message() << T << " x " << E);
    expect_same(norm(rms_norm), norm(portable::rms_norm), {random({T, E}, 1)}, {random({E}, 2)},
                40 * rounding);
    expect_same(add_norm(add_rms_norm), add_norm(portable::add_rms_norm),
                {random({T, E}, 1), random({T, E}, 3)}, {random({E}, 2)}, 40 * rounding);
  }
}

TEST(RmsNorm, EitherOutputAloneHasItsGradient) {
  const at::Tensor x = random({4, 6}, 1).to(at::kFloat),
                   residual = random({4, 6}, 2).to(at::kFloat);
  for (const bool use_sum : {true, false}) {
    const auto gradient = [&](auto f, at::ScalarType dtype) {
      const Weight w = trained(random({6}, 3).to(dtype));
      at::Tensor leaf = x.to(dtype).clone().set_requires_grad(true);
      const AddNorm out = f(leaf, residual.to(dtype), w, eps);
      ((use_sum ? out.sum_TE : out.normed_TE) * random({4, 6}, 5).to(dtype)).sum().backward();
      return leaf.grad();
    };
    EXPECT_LE(relative_error(gradient(add_rms_norm, at::kFloat),
                             gradient(portable::add_rms_norm, at::kDouble)),
              20 * rounding);
  }
}

TEST(RmsNorm, FrozenOrNoGradient) {
  const Weight w = frozen(random({6}, 3).to(at::kFloat));
  at::Tensor x = random({4, 6}, 1).to(at::kFloat).set_requires_grad(true);
  rms_norm(x, w, eps).sum().backward();
  EXPECT_TRUE(x.grad().defined());
  const Weight trained_weight = trained(w.value);
  rms_norm(x.detach(), trained_weight, eps).sum().backward();
  EXPECT_GT(trained_weight.gradient.abs().sum().item<double>(), 0.0);
  const at::NoGradGuard no_grad;
  EXPECT_FALSE(rms_norm(x, trained_weight, eps).requires_grad());
}

TEST(RmsNorm, NoTokensAndNotContiguous) {
  const Weight w = trained(random({6}, 3).to(at::kFloat));
  rms_norm(at::zeros({0, 6}), w, eps).sum().backward();
  EXPECT_EQ(w.gradient.abs().sum().item<double>(), 0.0);
  const at::Tensor x = random({6, 4}, 1).to(at::kFloat).t();
  EXPECT_TRUE(same_bits(rms_norm(x, w, eps), rms_norm(x.contiguous(), w, eps)));
}

TEST(RmsNorm, RefusesWhatDoesNotFit) {
  EXPECT_THROW(rms_norm(random({4, 6}, 1), trained(random({5}, 2)), eps), Error);
  EXPECT_THROW(add_rms_norm(random({4, 6}, 1), random({3, 6}, 1), trained(random({6}, 2)), eps),
               Error);
}

}  // namespace
}  // namespace burnish::test
