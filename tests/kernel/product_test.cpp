// M x K times K x N.
#include "kernel/product.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <functional>

#include "kernel/half_product.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

double one_rounding(at::ScalarType dtype) {
  return dtype == at::kBFloat16 ? 0x1p-8 : dtype == at::kHalf ? 0x1p-11 : 64 * rounding;
}

// each way in which a matrix may lie in memory
std::vector<std::pair<const char*, std::function<at::Tensor(const at::Tensor&)>>> layouts() {
  return {{"rows", [](const at::Tensor& m) { return m; }},
          {"columns", [](const at::Tensor& m) { return m.t().contiguous().t(); }},
          {"part of wider rows",
           [](const at::Tensor& m) {
             const at::Tensor wide = at::empty({m.size(0), m.size(1) + 5}, m.options());
             return wide.narrow(1, 2, m.size(1)).copy_(m);
           }},
          {"every other element", [](const at::Tensor& m) {
             const at::Tensor wide = at::empty({m.size(0), m.size(1), 2}, m.options());
             return wide.select(2, 0).copy_(m);
           }}};
}

TEST(Product, OfSixteenBitsIsSummedInFp32) {
  for (const auto& [M, K, N] :
       {std::tuple{1, 1, 1}, {1, 64, 7}, {7, 64, 1}, {33, 200, 65}, {5, 0, 3}})
    for (const auto dtype : {at::kBFloat16, at::kHalf})
      for (const auto& [a_name, a_layout] : layouts())
        for (const auto& [b_name, b_layout] : layouts()) {
          SCOPED_TRACE(std::string(a_name) + " times " + b_name + ", " + std::to_string(M) + "x" +
                       std::to_string(K) + "x" + std::to_string(N));
          const at::Tensor a = a_layout(random({M, K}, 1).to(dtype));
          const at::Tensor b = b_layout(random({K, N}, 2).to(dtype));
          const at::Tensor right = at::matmul(a.to(at::kDouble), b.to(at::kDouble));
          const at::Tensor narrow = product(a, b);
          EXPECT_EQ(narrow.scalar_type(), dtype);
          EXPECT_LE(relative_error(narrow, right), one_rounding(dtype));
          const at::Tensor wide = at::empty({M, N}, at::kFloat);
          product_into(wide, a, b);
          EXPECT_LE(relative_error(wide, right), 64 * rounding) << "nothing is rounded to 16 bits";
          add_product(wide, a, b);
          EXPECT_LE(relative_error(wide, right * 2.0), 64 * rounding);
          const at::Tensor sum = at::ones({M, N}, dtype);
          add_product(sum, a, b);
          EXPECT_LE(relative_error(sum, right + 1.0), one_rounding(dtype));
        }
}

TEST(Product, ManyBlocksOfRows) {
  const at::Tensor a = random({5000, 8}, 1).to(at::kBFloat16),
                   b = random({8, 1000}, 2).to(at::kBFloat16);
  EXPECT_LE(relative_error(product(a, b), at::matmul(a.to(at::kDouble), b.to(at::kDouble))),
            one_rounding(at::kBFloat16));
}

TEST(Product, OfFp32AndFp64IsTheirOwn) {
  for (const auto dtype : {at::kFloat, at::kDouble}) {
    const at::Tensor a = random({9, 30}, 1), b = random({30, 4}, 2), right = at::matmul(a, b);
    const double tolerance = dtype == at::kFloat ? 64 * rounding : 1e-14;
    EXPECT_LE(relative_error(product(a.to(dtype), b.to(dtype)), right), tolerance);
    const at::Tensor sum = at::ones({9, 4}, dtype);
    add_product(sum, a.to(dtype), b.to(dtype));
    EXPECT_LE(relative_error(sum, right + 1.0), tolerance);
  }
}

TEST(Product, TheSameBitsAgain) {
  const at::Tensor a = random({70, 300}, 1).to(at::kBFloat16),
                   b = random({300, 90}, 2).to(at::kBFloat16);
  EXPECT_TRUE(same_bits(product(a, b), product(a, b)));
}

}  // namespace
}  // namespace burnish::test
