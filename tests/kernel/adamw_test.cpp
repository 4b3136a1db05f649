#include "kernel/adamw.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

using Function = void (*)(at::Tensor&, const at::Tensor&, at::Tensor&, at::Tensor&,
                          const AdamWStep&);

nlohmann::json read(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(BURNISH_TEST_DATA "/cases/I06-adamw-eps/" + name));
}

at::Tensor row(const nlohmann::json& values, at::ScalarType dtype) {
  return at::tensor(at::ArrayRef<double>(values.get<std::vector<double>>()), at::kDouble).to(dtype);
}

// cases/I06: the weights after each of its steps
std::vector<at::Tensor> steps_of_the_case(Function f, at::ScalarType dtype,
                                          at::ScalarType moment_dtype, double gradient_scale) {
  const auto gradients = read("gradients.json");
  at::Tensor weight = row({1.0, 1.0, -1.0, 2.0, 0.5}, dtype);
  at::Tensor moment1 = at::zeros({5}, moment_dtype), moment2 = at::zeros({5}, moment_dtype);
  std::vector<at::Tensor> after;
  for (size_t i = 0; i < gradients.size(); ++i) {
    f(weight, row(gradients[i], moment_dtype) / gradient_scale, moment1, moment2,
      {.learning_rate = 0.1,
       .beta1 = 0.9,
       .beta2 = 0.95,
       .epsilon = 1e-8,
       .weight_decay = 0.1,
       .step = static_cast<int64_t>(i) + 1,
       .gradient_scale = gradient_scale});
    after.push_back(weight.clone());
  }
  return after;
}

void expect_case(Function f, at::ScalarType dtype, double tolerance, double gradient_scale) {
  const auto expected = read("expected.json")["weights_after_step"];
  const auto after = steps_of_the_case(f, dtype, dtype, gradient_scale);
  ASSERT_EQ(after.size(), expected.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const at::Tensor right = row(expected[i], at::kDouble);
    const double difference = (after[i].to(at::kDouble) - right).abs().max().item<double>();
    EXPECT_LE(difference, tolerance) << "step " << i + 1;
  }
}

TEST(AdamW, CaseI06) {
  for (const double gradient_scale : {1.0, 0.25}) {
    expect_case(portable::adamw, at::kDouble, 2e-9, gradient_scale);  // given to nine places
    expect_case(portable::adamw, at::kFloat, 1e-5, gradient_scale);
    for_each_target([&](const char*) { expect_case(adamw, at::kFloat, 1e-5, gradient_scale); });
  }
}

TEST(AdamW, CaseI06InHalfPrecisionStaysFinite) {
  for (const auto dtype : {at::kHalf, at::kBFloat16}) {
    const auto after = steps_of_the_case(adamw, dtype, at::kFloat, 1.0);
    at::Tensor decayed = at::tensor({1.0}, at::kDouble).to(dtype);
    for (size_t i = 0; i < after.size(); ++i) {
      EXPECT_TRUE(after[i].isfinite().all().item<bool>());
      decayed = (decayed.to(at::kFloat) * static_cast<float>(0.99)).to(dtype);
      if (i < 4) {
        EXPECT_EQ(after[i][1].item<float>(), decayed[0].item<float>());
      }
    }
  }
}

TEST(AdamW, KernelEqualsPortable) {
  for (const int64_t n : {0, 1, 7, 1000, 70001}) {
    const at::Tensor gradient = random({n}, 1), start = random({n}, 2);
    const auto after = [&](Function f, at::ScalarType dtype) {
      at::Tensor weight = start.to(dtype).clone();
      at::Tensor moment1 = random({n}, 3).to(dtype), moment2 = random({n}, 4).square().to(dtype);
      f(weight, gradient.to(dtype), moment1, moment2,
        {.learning_rate = 1e-2, .weight_decay = 0.1, .step = 3, .gradient_scale = 0.7});
      return Tensors{weight, moment1, moment2};
    };
    const Tensors right = after(portable::adamw, at::kDouble);
    for_each_target([&](const char* name) {
      const Tensors ours = after(adamw, at::kFloat), again = after(adamw, at::kFloat);
      for (int i = 0; i < 3; ++i) {
        EXPECT_LE(relative_error(ours[i], right[i]), 10 * rounding) << name << " " << n;
        EXPECT_TRUE(same_bits(ours[i], again[i]));
      }
    });
  }
}

TEST(AdamW, RefusesWhatDoesNotFit) {
  at::Tensor weight = at::zeros({3}), moment1 = at::zeros({3}), moment2 = at::zeros({3});
  EXPECT_THROW(adamw(weight, at::zeros({2}), moment1, moment2, {}), Error);
  EXPECT_THROW(adamw(weight, at::zeros({3}), moment1, moment2, {.step = 0}), Error);
}

TEST(SumOfSquares, InFp64) {
  for (const int64_t n : {0, 1, 5, 17, 32768, 100003}) {
    const at::Tensor x = random({n}, 1);
    double right = 0.0;
    for (int64_t i = 0; i < n; ++i) right += std::pow(x.data_ptr<double>()[i], 2);
    for_each_target([&](const char* name) {
      const double ours = sum_of_squares(x.to(at::kFloat));
      EXPECT_NEAR(ours, right, 1e-12 * right) << name;
      EXPECT_EQ(ours, sum_of_squares(x.to(at::kFloat)));
    });
    EXPECT_NEAR(portable::sum_of_squares(x), right, 1e-12 * right);
  }
  EXPECT_TRUE(std::isnan(sum_of_squares(at::zeros({9}) * std::nan(""))));
  EXPECT_EQ(sum_of_squares(at::zeros({4}) + 1e30f), 4.0 * std::pow(double{1e30f}, 2));
}

}  // namespace
}  // namespace burnish::test
