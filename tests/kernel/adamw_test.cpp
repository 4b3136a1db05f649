#include "kernel/adamw.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones_like.h>
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

// cases/I02: 1000 steps of lr 1e-5 with gradient 1
TEST(AdamW, CaseI02AMasterLosesNoUpdates) {
  const auto expected = nlohmann::json::parse(
      std::ifstream(BURNISH_TEST_DATA "/cases/I02-bf16-lost-updates/expected.json"))["vector"];
  const auto after = [&](at::ScalarType dtype) {
    at::Tensor weight = row(expected["start_bf16"], dtype);
    const at::Tensor gradient = at::ones_like(weight);
    at::Tensor moment1 = at::zeros_like(weight), moment2 = at::zeros_like(weight);
    for (int64_t step = 1; step <= 1000; ++step)
      adamw(weight, gradient, moment1, moment2, {.learning_rate = 1e-5, .step = step});
    return weight;
  };
  const at::Tensor master = after(at::kFloat);
  EXPECT_LE(relative_error(master, row(expected["with_master_float32"], at::kDouble)), 1e-6);
  EXPECT_TRUE(
      same_bits(master.to(at::kBFloat16), row(expected["with_master_saved_bf16"], at::kBFloat16)));
  // without one, what is large beside a step does not move; how far the small one gets depends on
  // where the moments are rounded
  const at::Tensor pure = after(at::kBFloat16);
  const at::Tensor wrong = row(expected["pure_bf16_wrong"], at::kBFloat16);
  for (const int64_t i : {0, 1, 2, 3, 5}) EXPECT_EQ(pure[i].item<float>(), wrong[i].item<float>());
  EXPECT_LT(pure[4].item<float>(), 0.0f);
}

// cases/I04
TEST(AdamW, CaseI04SumOfSquares) {
  const auto expected = nlohmann::json::parse(
      std::ifstream(BURNISH_TEST_DATA "/cases/I04-global-grad-norm/expected.json"));
  double squares = 0;
  for (const auto& part : {std::vector<double>{3, 4}, {0}, {12}, {84}})
    squares += sum_of_squares(at::tensor(at::ArrayRef<double>(part), at::kDouble).to(at::kFloat));
  EXPECT_EQ(std::sqrt(squares), expected["l2_norm"]);
  const auto& million = expected["million_bf16_values_of_0.01"];
  const double norm = std::sqrt(sum_of_squares(at::full({1'000'000}, 0.01, at::kBFloat16)));
  EXPECT_NEAR(norm / million["l2_norm"].get<double>(), 1.0,
              million["tolerance_relative"].get<double>());
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

TEST(AdamW, SixteenBitsAreComputedInFp32AndRoundedOnce) {
  for (const auto& [weights, moments] : {std::pair{at::kBFloat16, at::kBFloat16},
                                         {at::kBFloat16, at::kFloat},
                                         {at::kFloat, at::kBFloat16}}) {
    constexpr int64_t n = (1 << 18) + 7;  // more than one chunk
    const at::Tensor gradient = random({n}, 1).to(weights);
    const at::Tensor start[] = {random({n}, 2).to(weights), random({n}, 3).to(moments),
                                random({n}, 4).square().to(moments)};
    const auto after = [&](Function f, bool wide) {
      const auto of = [&](const at::Tensor& t) { return wide ? t.to(at::kDouble) : t.clone(); };
      at::Tensor weight = of(start[0]), moment1 = of(start[1]), moment2 = of(start[2]);
      f(weight, of(gradient), moment1, moment2,
        {.learning_rate = 1e-2, .weight_decay = 0.1, .step = 3, .gradient_scale = 0.7});
      return Tensors{weight, moment1, moment2};
    };
    const Tensors ours = after(adamw, false), right = after(portable::adamw, true);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(ours[i].scalar_type(), start[i].scalar_type());
      EXPECT_LE(relative_error(ours[i], right[i]),
                ours[i].scalar_type() == at::kFloat ? 10 * rounding : 0x1p-8);
    }
  }
}

TEST(AdamW, SumOfSquaresOfSixteenBits) {
  for (const auto dtype : {at::kBFloat16, at::kHalf}) {
    const at::Tensor x = random({(1 << 18) + 7}, 1).to(dtype);
    EXPECT_NEAR(sum_of_squares(x) / portable::sum_of_squares(x.to(at::kDouble)), 1.0, 1e-12);
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
