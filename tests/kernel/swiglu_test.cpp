#include "kernel/swiglu.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

Operation of(at::Tensor (*f)(const at::Tensor&, const at::Tensor&)) {
  return [f](const Tensors& x, const Weights&) -> Tensors { return {f(x[0], x[1])}; };
}

TEST(SwiGlu, GradientsByFiniteDifferences) {
  expect_gradients(of(portable::swiglu), {random({5, 7}, 1), random({5, 7}, 2)});
}

TEST(SwiGlu, KernelWithinRounding) {
  // about ten roundings an element; gates from -20 to 20
  for (const int64_t I : {1, 7, 64, 333})
    expect_same(of(swiglu), of(portable::swiglu), {random({9, I}, 1) * 20.0, random({9, I}, 2)}, {},
                12 * rounding);
}

TEST(SwiGlu, SplitOverThreadsGivesTheSame) {
  const at::Tensor gate = random({40, 1536}, 1), up = random({40, 1536}, 2);
  EXPECT_LE(
      relative_error(swiglu(gate.to(at::kFloat), up.to(at::kFloat)), portable::swiglu(gate, up)),
      12 * rounding);
}

TEST(SwiGlu, NoTokensAndBadShapes) {
  at::Tensor gate = at::zeros({0, 6}).set_requires_grad(true);
  swiglu(gate, at::zeros({0, 6})).sum().backward();
  EXPECT_EQ(gate.grad().numel(), 0);
  EXPECT_THROW(swiglu(at::zeros({2, 6}), at::zeros({2, 5})), Error);
}

TEST(SwiGlu, NanStaysNan) {
  const at::Tensor gate = at::zeros({1, 9}) + std::nan("");
  EXPECT_TRUE(swiglu(gate, at::zeros({1, 9}) + 1.0).isnan().all().item<bool>());
}

}  // namespace
}  // namespace burnish::test
