#include "kernel/rope.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

std::vector<double> frequencies(int64_t pairs) {
  std::vector<double> f;
  for (int64_t j = 0; j < pairs; ++j)
    f.push_back(std::pow(10000.0, -static_cast<double>(j) / static_cast<double>(pairs)));
  return f;
}

using RopeFunction = at::Tensor (*)(const at::Tensor&, const RopeTable&, const Segments&, int64_t);

Operation of(RopeFunction f, const RopeTable& table, const Segments& segments, int64_t first = 0) {
  return [=](const Tensors& x, const Weights&) -> Tensors {
    return {f(x[0], table, segments, first)};
  };
}

TEST(Rope, RotatesThePairsOfAHead) {
  const RopeTable table = make_rope_table({1.0, 0.25}, 8);
  const at::Tensor x = random({4, 1, 4}, 1);
  const at::Tensor y = rope(x, table, Segments({0, 3, 4}), 2);
  const std::vector<double> positions{2, 3, 4, 2};
  for (int64_t t = 0; t < 4; ++t)
    for (int64_t j = 0; j < 2; ++j) {
      const double angle = positions[t] * (j == 0 ? 1.0 : 0.25);
      const double a = x[t][0][j].item<double>(), b = x[t][0][j + 2].item<double>();
      // the tables are fp32
      EXPECT_NEAR(y[t][0][j].item<double>(), a * std::cos(angle) - b * std::sin(angle), 1e-7);
      EXPECT_NEAR(y[t][0][j + 2].item<double>(), b * std::cos(angle) + a * std::sin(angle), 1e-7);
    }
}

TEST(Rope, AnglesAreFp32) {
  const double f = 0.1;  // not a number of fp32
  const RopeTable table = make_rope_table({f}, 5000, 0.5);
  const float angle = 4999.0f * static_cast<float>(f);
  EXPECT_EQ(table.cos_PD[4999][0].item<float>(),
            0.5f * static_cast<float>(std::cos(double{angle})));
  EXPECT_EQ(table.sin_PD[4999][0].item<float>(),
            0.5f * static_cast<float>(std::sin(double{angle})));
}

TEST(Rope, KernelWithinRounding) {
  const Segments segments({0, 1, 20, 37});
  for (const int64_t pairs : {1, 4, 5, 32}) {
    SCOPED_TRACE(pairs);
    const RopeTable table = make_rope_table(frequencies(pairs), 64);
    for (const int64_t rest : {0, 3}) {
      const Tensors x{random({37, 3, 2 * pairs + rest}, 1)};
      expect_gradients(of(portable::rope, table, segments, 5), x);
      expect_same(of(rope, table, segments, 5), of(portable::rope, table, segments, 5), x, {},
                  4 * rounding);
    }
  }
}

TEST(Rope, ScoresDependOnDistanceAlone) {
  const RopeTable table = make_rope_table(frequencies(8), 64);
  const at::Tensor q = random({1, 1, 16}, 1), k = random({1, 1, 16}, 2);
  const auto score = [&](int64_t p, int64_t s) {
    return (rope(q, table, Segments({0, 1}), p) * rope(k, table, Segments({0, 1}), s))
        .sum()
        .item<double>();
  };
  EXPECT_NEAR(score(10, 3), score(57, 50), 1e-5);
  EXPECT_GT(std::abs(score(10, 3) - score(10, 9)), 1e-3);
}

TEST(Rope, RefusesWhatDoesNotFit) {
  const RopeTable table = make_rope_table(frequencies(4), 8);
  EXPECT_THROW(rope(at::zeros({9, 1, 8}), table, Segments({0, 9}), 0), Error);
  EXPECT_THROW(rope(at::zeros({4, 1, 8}), table, Segments({0, 4}), 5), Error);
  EXPECT_THROW(rope(at::zeros({4, 1, 6}), table, Segments({0, 4}), 0), Error);
  EXPECT_THROW(rope(at::zeros({4, 1, 8}), table, Segments({0, 5}), 0), Error);
  EXPECT_EQ(rope(at::zeros({0, 1, 8}), table, Segments(), 0).numel(), 0);
}

}  // namespace
}  // namespace burnish::test
