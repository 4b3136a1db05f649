// T queries, S keys, H query heads, K key-value heads, D channels.
#include "kernel/attention.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

struct Size {
  std::vector<int32_t> cu_seqlens;
  int64_t H, K, D;
};

std::ostream& operator<<(std::ostream& out, const Size& s) {
  out << "cu_seqlens";
  for (const int32_t c : s.cu_seqlens) out << ' ' << c;
  return out << ", H " << s.H << ", K " << s.K << ", D " << s.D;
}

Tensors inputs(const Size& s) {
  const int64_t T = s.cu_seqlens.back();
  // large enough scores that the softmax is far from uniform
  return {random({T, s.H, s.D}, 1) * 4.0, random({T, s.K, s.D}, 2) * 4.0, random({T, s.K, s.D}, 3)};
}

using Function = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                const Segments&, double);
Operation of(Function f, const Size& size) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(size.D));
  return [=, segments = Segments(size.cu_seqlens)](const Tensors& x, const Weights&) -> Tensors {
    return {f(x[0], x[1], x[2], segments, scale)};
  };
}

// softmax(q k^T scale) v by loops, for one query
double by_the_formula(const Tensors& x, int64_t first, int64_t t, int64_t h, int64_t d,
                      int64_t group, double scale) {
  double sum = 0.0, weighted = 0.0;
  for (int64_t s = first; s <= t; ++s) {
    const double p = std::exp((x[0][t][h] * x[1][s][h / group]).sum().item<double>() * scale);
    sum += p;
    weighted += p * x[2][s][h / group][d].item<double>();
  }
  return weighted / sum;
}

TEST(Attention, PortableByTheFormula) {
  const Size size{{0, 1, 6, 9}, 6, 2, 5};
  const Tensors x = inputs(size);
  const at::Tensor out = portable::attention(x[0], x[1], x[2], Segments(size.cu_seqlens), 0.3);
  const std::vector<int64_t> first{0, 1, 1, 1, 1, 1, 6, 6, 6};
  for (int64_t t = 0; t < 9; ++t)
    for (int64_t h = 0; h < 6; ++h)
      EXPECT_NEAR(out[t][h][t % 5].item<double>(), by_the_formula(x, first[t], t, h, t % 5, 3, 0.3),
                  1e-12);
}

TEST(Attention, GradientsByFiniteDifferences) {
  const Size size{{0, 1, 6, 11}, 4, 2, 3};
  expect_gradients(of(portable::attention, size), inputs(size));
}

class AttentionKernel : public testing::TestWithParam<Size> {};

TEST_P(AttentionKernel, WithinRounding) {
  // scores up to about 16 with a rounding of 1e-6 go through exp; gradients add hundreds of terms
  expect_same(of(attention, GetParam()), of(portable::attention, GetParam()), inputs(GetParam()),
              {}, 100 * rounding);
}

INSTANTIATE_TEST_SUITE_P(Sizes, AttentionKernel,
                         testing::Values(Size{{0, 1}, 1, 1, 1}, Size{{0, 1, 2, 3}, 3, 1, 8},
                                         Size{{0, 64}, 2, 2, 64}, Size{{0, 65}, 3, 1, 64},
                                         Size{{0, 63, 64, 130}, 9, 3, 64},
                                         Size{{0, 7, 29, 30, 100}, 4, 1, 128},
                                         Size{{0, 200}, 4, 4, 16}, Size{{0, 129, 192}, 8, 2, 24},
                                         Size{{0, 50, 97}, 5, 1, 7}, Size{{0, 333}, 3, 1, 33}));

TEST(Attention, ManySizesOfSegments) {
  for (int32_t length = 1; length <= 20; ++length) {
    const Size size{{0, length, 2 * length + 1}, 3, 1, 16};
    SCOPED_TRACE(testing::Message() << size);
    expect_same(of(attention, size), of(portable::attention, size), inputs(size), {},
                100 * rounding);
  }
}

// Changing a token of one segment changes nothing elsewhere, and nothing before it.
TEST(Attention, NoLeakToTheBit) {
  const Size size{{0, 70, 75, 160}, 3, 1, 16};
  const Segments segments(size.cu_seqlens);
  Tensors x = inputs(size);
  for (auto& tensor : x) tensor = tensor.to(at::kFloat);
  const auto gradients = [&](const Tensors& values) {
    return run(of(attention, size), values, {}, at::kFloat);
  };
  const Outcome before = gradients(x);
  constexpr int64_t changed = 72;
  for (auto& tensor : x) tensor.select(0, changed).mul_(-3.0);
  const Outcome after = gradients(x);
  const auto rows_agree = [&](const at::Tensor& a, const at::Tensor& b, int64_t begin,
                              int64_t end) {
    return same_bits(a.narrow(0, begin, end - begin), b.narrow(0, begin, end - begin));
  };
  EXPECT_TRUE(rows_agree(before.outputs[0], after.outputs[0], 0, changed));
  EXPECT_FALSE(rows_agree(before.outputs[0], after.outputs[0], changed, 75));
  EXPECT_TRUE(rows_agree(before.outputs[0], after.outputs[0], 75, 160));
  for (int i = 0; i < 3; ++i) {
    const auto &a = before.activation_gradients[i], &b = after.activation_gradients[i];
    EXPECT_TRUE(rows_agree(a, b, 0, 70)) << i;
    EXPECT_FALSE(rows_agree(a, b, 70, 75)) << i;
    EXPECT_TRUE(rows_agree(a, b, 75, 160)) << i;
  }
}

TEST(Attention, PackedEqualsSeparateToTheBit) {
  const Size size{{0, 33, 120}, 6, 2, 64};
  Tensors x = inputs(size);
  for (auto& tensor : x) tensor = tensor.to(at::kFloat);
  const at::Tensor packed = attention(x[0], x[1], x[2], Segments(size.cu_seqlens), 0.125);
  const auto part = [&](int i) { return x[i].narrow(0, 33, 87); };
  EXPECT_TRUE(same_bits(packed.narrow(0, 33, 87),
                        attention(part(0), part(1), part(2), Segments({0, 87}), 0.125)));
}

TEST(Attention, LargeScoresDoNotOverflow) {
  const Size size{{0, 100}, 2, 1, 16};
  Tensors x = inputs(size);
  x[0] = x[0] * 100.0;
  const Outcome out = run(of(attention, size), x, {}, at::kFloat);
  EXPECT_TRUE(out.outputs[0].isfinite().all().item<bool>());
  for (const auto& g : out.activation_gradients) EXPECT_TRUE(g.isfinite().all().item<bool>());
}

TEST(Attention, NanIsNotHidden) {
  Tensors x = inputs({{0, 40}, 2, 1, 16});
  x[1][10] *= std::nan("");
  for (auto& tensor : x) tensor = tensor.to(at::kFloat);
  const at::Tensor out = attention(x[0], x[1], x[2], Segments({0, 40}), 0.25);
  EXPECT_TRUE(out.narrow(0, 0, 10).isfinite().all().item<bool>());
  EXPECT_TRUE(out.narrow(0, 10, 30).isnan().all().item<bool>());
}

TEST(Attention, UsesTheThreadsThatItIsGiven) {
  // -fopenmp is missing where at::parallel_for stays in one thread
  const int64_t parts = at::get_num_threads();
  std::vector<int> seen(parts, 0);
  at::parallel_for(0, parts, 1,
                   [&](int64_t begin, int64_t) { seen[begin] = at::get_thread_num(); });
  EXPECT_EQ(seen.back(), parts - 1);
}

TEST(Attention, NoTokensAndBadShapes) {
  at::Tensor q = at::zeros({0, 4, 8}).set_requires_grad(true);
  attention(q, at::zeros({0, 2, 8}), at::zeros({0, 2, 8}), Segments(), 1.0).sum().backward();
  EXPECT_EQ(q.grad().numel(), 0);
  const at::Tensor x = at::zeros({5, 4, 8});
  EXPECT_THROW(attention(x, x, x, Segments({0, 4}), 1.0), Error);
  EXPECT_THROW(attention(x, at::zeros({5, 3, 8}), at::zeros({5, 3, 8}), Segments({0, 5}), 1.0),
               Error);
  EXPECT_THROW(attention(x, x, at::zeros({5, 4, 7}), Segments({0, 5}), 1.0), Error);
  EXPECT_THROW(attention_cached(x, at::zeros({4, 4, 8}), at::zeros({4, 4, 8}), 1.0), Error);
}

TEST(AttentionCached, EqualsTheEndOfTheWhole) {
  for (const Size& size : {Size{{0, 1}, 3, 1, 8}, Size{{0, 70}, 9, 3, 64}, Size{{0, 700}, 4, 1, 16},
                           Size{{0, 257}, 16, 1, 7}}) {
    SCOPED_TRACE(testing::Message() << size);
    const int64_t S = size.cu_seqlens.back();
    const Tensors x = inputs(size);
    const at::Tensor whole = portable::attention(x[0], x[1], x[2], Segments(size.cu_seqlens), 0.25);
    for_each_target([&](const char* name) {
      for (const int64_t T : {int64_t{1}, std::min<int64_t>(S, 5), S}) {
        const at::Tensor q = x[0].narrow(0, S - T, T), right = whole.narrow(0, S - T, T);
        EXPECT_LE(relative_error(attention_cached(q.to(at::kFloat), x[1].to(at::kFloat),
                                                  x[2].to(at::kFloat), 0.25),
                                 right),
                  100 * rounding)
            << name << " T " << T;
        EXPECT_LE(relative_error(portable::attention_cached(q, x[1], x[2], 0.25), right), 1e-14);
      }
    });
  }
}

}  // namespace
}  // namespace burnish::test
