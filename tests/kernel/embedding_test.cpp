#include "kernel/embedding.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

at::Tensor ids() {
  return at::tensor({3, 0, 3, 6, 1, 3}, at::kLong);
}

Operation lookup(std::optional<int64_t> padding_idx) {
  return [=](const Tensors&, const Weights& w) -> Tensors {
    return {embedding(ids(), w[0], padding_idx)};
  };
}

TEST(Embedding, GradientsByFiniteDifferences) {
  expect_gradients(lookup({}), {}, {random({7, 4}, 1)});
}

TEST(Embedding, KernelGivesTheSame) {
  for (const auto padding_idx : {std::optional<int64_t>(), std::optional<int64_t>(3)})
    expect_same(lookup(padding_idx), lookup(padding_idx), {}, {random({7, 200}, 1)}, 2 * rounding);
}

TEST(Embedding, PaddingRowGetsNoGradient) {
  for (const auto dtype : {at::kFloat, at::kDouble}) {
    const Weight w = trained(random({7, 4}, 1).to(dtype));
    embedding(ids(), w, 3).sum().backward();
    EXPECT_EQ(w.gradient[3].abs().sum().item<double>(), 0.0);
    EXPECT_EQ(w.gradient[6].sum().item<double>(), 4.0);
    EXPECT_EQ(w.gradient[2].sum().item<double>(), 0.0);
    const Weight all = trained(random({7, 4}, 1).to(dtype));
    embedding(ids(), all).sum().backward();
    EXPECT_EQ(all.gradient[3].sum().item<double>(), 12.0);
  }
}

TEST(Embedding, Int32IdsAndNone) {
  const Weight w = trained(random({7, 4}, 1));
  EXPECT_TRUE(same_bits(embedding(ids().to(at::kInt), w), w.value.index_select(0, ids()).detach()));
  EXPECT_EQ(embedding(ids().narrow(0, 0, 0), w).sizes(), (std::vector<int64_t>{0, 4}));
}

TEST(Embedding, RefusesIdsOutsideOfTheVocabulary) {
  const Weight w = trained(random({6, 4}, 1));
  try {
    embedding(ids(), w);
    FAIL() << "6 is outside of 0 to 5";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("token id 6"), std::string::npos) << error.what();
  }
  EXPECT_THROW(embedding(ids() - 1, w), Error);
  EXPECT_THROW(embedding(ids().to(at::kDouble), w), Error);
}

}  // namespace
}  // namespace burnish::test
