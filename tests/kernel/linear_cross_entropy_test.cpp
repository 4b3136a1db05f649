// T tokens, E embedding, V vocabulary.
#include "kernel/linear_cross_entropy.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

struct Problem {
  at::Tensor x_TE, w_VE;
  std::vector<int32_t> labels;
};

Problem problem(int64_t T, int64_t E, int64_t V, int every = 3) {
  Problem p{random({T, E}, 1), random({V, E}, 2), {}};
  const CounterRandom draws(3, 0);
  for (int64_t t = 0; t < T; ++t)
    p.labels.push_back(t % every == 0
                           ? kIgnoreLabel
                           : static_cast<int32_t>(draws.bits(t) % static_cast<uint64_t>(V)));
  return p;
}

using Function = CrossEntropyResult (*)(const at::Tensor&, const Weight&, std::span<const int32_t>,
                                        double);

struct Result {
  CrossEntropyResult result;
  at::Tensor gx_TE, gw_VE;
};

Result trained_on(Function f, const Problem& p, double loss_scale, at::ScalarType dtype) {
  at::Tensor x = p.x_TE.to(dtype).clone().set_requires_grad(true);
  const Weight w = trained(p.w_VE.to(dtype));
  Result out{f(x, w, p.labels, loss_scale), {}, w.gradient};
  out.result.loss.backward();
  out.gx_TE = x.grad();
  return out;
}

// the loss by ATen, with autograd's own gradients
Result by_aten(const Problem& p, double loss_scale) {
  at::Tensor x = p.x_TE.clone().set_requires_grad(true), w = p.w_VE.clone().set_requires_grad(true);
  std::vector<int64_t> positions, labels;
  for (size_t t = 0; t < p.labels.size(); ++t) {
    if (p.labels[t] == kIgnoreLabel) continue;
    positions.push_back(static_cast<int64_t>(t));
    labels.push_back(p.labels[t]);
  }
  const at::Tensor labels_N1 = at::tensor(labels, at::kLong).unsqueeze(1);
  const at::Tensor logits_NV =
      at::matmul(x.index_select(0, at::tensor(positions, at::kLong)), w.t());
  Result out;
  out.result.targets = static_cast<int64_t>(labels.size());
  out.result.correct = (logits_NV.argmax(1, true) == labels_N1).sum().item<int64_t>();
  out.result.loss = -at::log_softmax(logits_NV, 1).gather(1, labels_N1).sum() * loss_scale;
  out.result.loss.backward();
  out.gx_TE = x.grad();
  out.gw_VE = w.grad();
  return out;
}

void expect_close(const Result& ours, const Result& right, double tolerance) {
  EXPECT_LE(relative_error(ours.result.loss, right.result.loss), tolerance);
  EXPECT_EQ(ours.result.loss.scalar_type(), at::kDouble);
  EXPECT_EQ(ours.result.targets, right.result.targets);
  EXPECT_EQ(ours.result.correct, right.result.correct);
  EXPECT_LE(relative_error(ours.gx_TE, right.gx_TE), tolerance);
  EXPECT_LE(relative_error(ours.gw_VE, right.gw_VE), tolerance);
}

TEST(LinearCrossEntropy, EqualsAtenInFp64) {
  const Problem p = problem(13, 6, 29);
  expect_close(trained_on(linear_cross_entropy, p, 0.37, at::kDouble), by_aten(p, 0.37), 1e-13);
  expect_close(trained_on(portable::linear_cross_entropy, p, 0.37, at::kDouble), by_aten(p, 0.37),
               1e-13);
}

TEST(LinearCrossEntropy, KernelWithinRounding) {
  for (const auto& [T, E, V] : {std::tuple{1, 4, 2}, {9, 16, 7}, {40, 32, 1000}, {7, 8, 4099}}) {
    Problem p = problem(T, E, V, 4);
    p.labels[0] = 1;
    const Result right = by_aten(p, 1.0 / T);
    for_each_target([&, T = T](const char* name) {
      SCOPED_TRACE(testing::Message() << name << " V " << p.w_VE.size(0));
      const Result ours = trained_on(linear_cross_entropy, p, 1.0 / T, at::kFloat);
      expect_close(ours, right, 40 * rounding);
      const Result again = trained_on(linear_cross_entropy, p, 1.0 / T, at::kFloat);
      EXPECT_TRUE(same_bits(ours.gx_TE, again.gx_TE) && same_bits(ours.gw_VE, again.gw_VE));
      EXPECT_TRUE(same_bits(ours.result.loss, again.result.loss));
    });
  }
}

TEST(LinearCrossEntropy, SeveralChunksEqualOne) {
  // 400 rows of 49,152 logits are three chunks
  Problem p = problem(400, 8, 49152, 1000);
  p.labels[0] = 5;
  const Result right = by_aten(p, 0.01);
  // each gradient of x adds 49,152 terms to one that is thousands of times larger
  expect_close(trained_on(linear_cross_entropy, p, 0.01, at::kFloat), right,
               3.0 * std::sqrt(49152.0) * rounding);
}

TEST(LinearCrossEntropy, WithoutGradients) {
  const Problem p = problem(20, 8, 50);
  const Result right = by_aten(p, 1.0);
  const at::Tensor x = p.x_TE.to(at::kFloat).set_requires_grad(true);
  const Weight w = trained(p.w_VE.to(at::kFloat));
  const at::NoGradGuard no_grad;
  const CrossEntropyResult result = linear_cross_entropy(x, w, p.labels, 1.0);
  EXPECT_FALSE(result.loss.requires_grad());
  EXPECT_EQ(w.gradient.abs().sum().item<double>(), 0.0);
  EXPECT_LE(relative_error(result.loss, right.result.loss), 20 * rounding);
  EXPECT_EQ(result.correct, right.result.correct);
}

TEST(LinearCrossEntropy, NoTargetsIsZeroAndMovesNothing) {
  for (const int64_t T : {0, 5}) {
    const at::Tensor x = random({T, 8}, 1).to(at::kFloat).set_requires_grad(true);
    const Weight w = trained(random({11, 8}, 2).to(at::kFloat));
    const std::vector<int32_t> labels(T, kIgnoreLabel);
    const auto result = linear_cross_entropy(x, w, labels, std::numeric_limits<double>::infinity());
    EXPECT_EQ(result.loss.item<double>(), 0.0);
    EXPECT_EQ(result.targets, 0);
    EXPECT_FALSE(result.loss.requires_grad());
    EXPECT_EQ(w.gradient.abs().sum().item<double>(), 0.0);
  }
}

TEST(LinearCrossEntropy, PositionsWithoutTargetHaveNoSay) {
  Problem p = problem(12, 8, 20);
  const Result before = trained_on(linear_cross_entropy, p, 1.0, at::kFloat);
  for (size_t t = 0; t < p.labels.size(); ++t)
    if (p.labels[t] == kIgnoreLabel) {
      EXPECT_EQ(before.gx_TE[static_cast<int64_t>(t)].abs().sum().item<double>(), 0.0);
      p.x_TE[static_cast<int64_t>(t)] *= std::nan("");
    }
  const Result after = trained_on(linear_cross_entropy, p, 1.0, at::kFloat);
  EXPECT_TRUE(same_bits(before.gw_VE, after.gw_VE));
  EXPECT_TRUE(same_bits(before.result.loss, after.result.loss));
}

TEST(LinearCrossEntropy, FrozenHead) {
  const Problem p = problem(12, 8, 20);
  at::Tensor x = p.x_TE.to(at::kFloat).set_requires_grad(true);
  linear_cross_entropy(x, frozen(p.w_VE.to(at::kFloat)), p.labels, 1.0).loss.backward();
  EXPECT_LE(relative_error(x.grad(), by_aten(p, 1.0).gx_TE), 20 * rounding);
}

TEST(LinearCrossEntropy, OnlyTheHeadIsTrained) {
  const Problem p = problem(12, 8, 20);
  const Weight w = trained(p.w_VE.to(at::kFloat));
  linear_cross_entropy(p.x_TE.to(at::kFloat), w, p.labels, 1.0).loss.backward();
  EXPECT_LE(relative_error(w.gradient, by_aten(p, 1.0).gw_VE), 20 * rounding);
}

TEST(LinearCrossEntropy, LargeLogits) {
  const Weight w = frozen((random({3, 1}, 1) * 0.0 + 1.0).to(at::kFloat));
  const at::Tensor x = (at::zeros({1, 1}) + 1e30);
  const std::vector<int32_t> labels{2};
  EXPECT_NEAR(linear_cross_entropy(x, w, labels, 1.0).loss.item<double>(), std::log(3.0), 1e-7);
}

TEST(LinearCrossEntropy, RefusesWhatDoesNotFit) {
  const Problem p = problem(3, 4, 5);
  const Weight w = trained(p.w_VE);
  const std::vector<int32_t> high{1, 5, 1}, low{1, -1, 1}, few{1};
  EXPECT_THROW(linear_cross_entropy(p.x_TE, w, high, 1.0), Error);
  EXPECT_THROW(linear_cross_entropy(p.x_TE, w, low, 1.0), Error);
  EXPECT_THROW(linear_cross_entropy(p.x_TE, w, few, 1.0), Error);
  at::Tensor x = p.x_TE.clone().set_requires_grad(true);
  const std::vector<int32_t> labels{1, 2, 3};
  EXPECT_THROW((linear_cross_entropy(x, w, labels, 1.0).loss * 2.0).backward(), Error);
}

}  // namespace
}  // namespace burnish::test
