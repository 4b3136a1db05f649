// Every operation in bf16 and fp16 against its portable form in fp64, from the same 16-bit numbers:
// computed in fp32, rounded once at its end (and once in the gradient that arrives).
#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernel/attention.h"
#include "kernel/embedding.h"
#include "kernel/linear.h"
#include "kernel/linear_cross_entropy.h"
#include "kernel/operation.h"
#include "kernel/rms_norm.h"
#include "kernel/rope.h"
#include "kernel/swiglu.h"

namespace burnish::test {
namespace {

TEST(SixteenBits, Linear) {
  const Operation f = [](const Tensors& x, const Weights& w) -> Tensors {
    return {linear(x[0], w[0])};
  };
  expect_same_in_16_bits(f, f, {random({64, 33}, 1)}, {random({17, 33}, 2)}, 3);
}

TEST(SixteenBits, LinearWithBias) {
  const Operation f = [](const Tensors& x, const Weights& w) -> Tensors {
    return {linear(x[0], w[0], &w[1])};
  };
  expect_same_in_16_bits(f, f, {random({64, 33}, 1)}, {random({17, 33}, 2), random({17}, 3)}, 4);
}

TEST(SixteenBits, RmsNorm) {
  const auto norm = [](auto f) -> Operation {
    return [f](const Tensors& x, const Weights& w) -> Tensors { return {f(x[0], w[0], 1e-5)}; };
  };
  expect_same_in_16_bits(norm(rms_norm), norm(portable::rms_norm), {random({17, 31}, 1)},
                         {random({31}, 2)}, 3);
}

TEST(SixteenBits, AddRmsNormRoundsTheSumBeforeItsNorm) {
  const auto norm = [](auto f) -> Operation {
    return [f](const Tensors& x, const Weights& w) -> Tensors {
      const AddNorm out = f(x[0], x[1], w[0], 1e-5);
      return {out.sum_TE, out.normed_TE};
    };
  };
  expect_same_in_16_bits(norm(add_rms_norm), norm(portable::add_rms_norm),
                         {random({17, 31}, 1), random({17, 31}, 3)}, {random({31}, 2)}, 6);
}

TEST(SixteenBits, SwiGlu) {
  const auto of = [](auto f) -> Operation {
    return [f](const Tensors& x, const Weights&) -> Tensors { return {f(x[0], x[1])}; };
  };
  expect_same_in_16_bits(of(swiglu), of(portable::swiglu),
                         {random({9, 33}, 1) * 8.0, random({9, 33}, 2)}, {}, 3);
}

TEST(SixteenBits, Rope) {
  const RopeTable table = make_rope_table({1.0, 0.3, 0.1, 0.03}, 20);
  const Segments segments({0, 5, 12});
  const auto of = [&](auto f) -> Operation {
    return
        [=](const Tensors& x, const Weights&) -> Tensors { return {f(x[0], table, segments, 3)}; };
  };
  expect_same_in_16_bits(of(rope), of(portable::rope), {random({12, 3, 8}, 1)}, {}, 3);
}

TEST(SixteenBits, Attention) {
  const Segments segments({0, 1, 40, 77});
  const auto of = [&](auto f) -> Operation {
    return [=](const Tensors& x, const Weights&) -> Tensors {
      return {f(x[0], x[1], x[2], segments, 0.25)};
    };
  };
  // the backward pass reads the rounded output
  expect_same_in_16_bits(of(attention), of(portable::attention),
                         {random({77, 6, 16}, 1), random({77, 2, 16}, 2), random({77, 2, 16}, 3)},
                         {}, 6);
}

TEST(SixteenBits, AttentionOverACache) {
  const Tensors x{random({1, 6, 16}, 1), random({50, 2, 16}, 2), random({50, 2, 16}, 3)};
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    const auto rounded = [&](int i) { return x[i].to(dtype); };
    const at::Tensor ours = attention_cached(rounded(0), rounded(1), rounded(2), 0.25);
    const at::Tensor right = portable::attention_cached(
        rounded(0).to(at::kDouble), rounded(1).to(at::kDouble), rounded(2).to(at::kDouble), 0.25);
    EXPECT_EQ(ours.scalar_type(), dtype);
    EXPECT_LE(relative_error(ours, right), dtype == at::kHalf ? 0x1p-11 : 0x1p-8);
  }
}

TEST(SixteenBits, Embedding) {
  const at::Tensor ids = at::tensor({3, 0, 3, 6, 1, 3}, at::kLong);
  const Operation f = [&](const Tensors&, const Weights& w) -> Tensors {
    return {embedding(ids, w[0], {})};
  };
  expect_same_in_16_bits(f, f, {}, {random({7, 200}, 1)}, 5);
}

TEST(SixteenBits, LinearCrossEntropyKeepsItsLogitsInFp32) {
  std::vector<int32_t> labels;
  for (int t = 0; t < 60; ++t) labels.push_back(t % 4 == 0 ? kIgnoreLabel : (t * 37) % 129);
  const Tensors x{random({60, 24}, 1)}, w{random({129, 24}, 2)};
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    const auto loss = [&](at::ScalarType kept, at::ScalarType computed, auto f) {
      return f(x[0].to(kept).to(computed), frozen(w[0].to(kept).to(computed)), labels, 1.0)
          .loss.template item<double>();
    };
    const double ours = loss(dtype, dtype, linear_cross_entropy);
    const double right = loss(dtype, at::kDouble, portable::linear_cross_entropy);
    EXPECT_NEAR(ours / right, 1.0, 1e-6) << "the loss of logits that were never rounded to 16 bits";
  }
  const auto gradients = [&](auto f, at::ScalarType kept, at::ScalarType computed) {
    at::Tensor leaf = x[0].to(kept).to(computed).clone().set_requires_grad(true);
    const Weight weight =
        trained(w[0].to(kept).to(computed), computed == at::kDouble ? at::kDouble : at::kFloat);
    f(leaf, weight, labels, 1.0 / 45).loss.backward();
    return Tensors{leaf.grad(), weight.gradient};
  };
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    const Tensors ours = gradients(linear_cross_entropy, dtype, dtype);
    const Tensors right = gradients(portable::linear_cross_entropy, dtype, at::kDouble);
    // fp16's gradients of 1e-5 are below its normal range: an absolute rounding of 2^-25
    const double tolerance = dtype == at::kBFloat16 ? 0x1p-7 : 0x1p-8;
    EXPECT_LE(relative_error(ours[0], right[0]), tolerance);
    EXPECT_LE(relative_error(ours[1], right[1]), tolerance);
  }
}

}  // namespace
}  // namespace burnish::test
