// The exponential function of the CPU kernels, with every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernel/operation.h"
#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/vector_test.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

void exp_of(std::vector<float>& x) {
  for_vectors(0, static_cast<int64_t>(x.size()),
              [&](auto at) HWY_ATTR { at.store(exp(at.load(x.data())), x.data()); });
}

void sigmoid_of(std::vector<float>& x) {
  for_vectors(0, static_cast<int64_t>(x.size()),
              [&](auto at) HWY_ATTR { at.store(sigmoid(at.load(x.data())), x.data()); });
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
HWY_EXPORT(exp_of);
HWY_EXPORT(sigmoid_of);
}  // namespace burnish::cpu

namespace burnish::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double units_in_last_place(float got, double right) {
  const auto nearest = static_cast<float>(right);
  const double unit = std::nextafter(nearest, infinity) - static_cast<double>(nearest);
  return std::abs(got - right) / unit;
}

TEST(VectorExp, IsWithinTwoUnitsInTheLastPlace) {
  for_each_target([](const char* name) {
    std::vector<float> x;
    for (double v = -87.0; v <= 88.0; v += 0.00037) x.push_back(static_cast<float>(v));
    for (float v = 1e-30f; v < 1.0f; v *= 3.7f) x.insert(x.end(), {v, -v});
    std::vector<float> y = x;
    HWY_DYNAMIC_DISPATCH(cpu::exp_of)(y);
    double worst = 0.0;
    for (size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, units_in_last_place(y[i], std::exp(static_cast<double>(x[i]))));
    EXPECT_LE(worst, 2.0) << name;
  });
}

TEST(VectorExp, EndsAndNaN) {
  for_each_target([](const char* name) {
    SCOPED_TRACE(name);
    std::vector<float> x{0.0f, -0.0f, -88.0f, -1e4f, -3e38f, -infinity, std::nanf("")};
    HWY_DYNAMIC_DISPATCH(cpu::exp_of)(x);
    EXPECT_EQ(x[0], 1.0f);
    EXPECT_EQ(x[1], 1.0f);
    for (int i = 2; i < 6; ++i) EXPECT_EQ(x[i], 0.0f) << i;
    EXPECT_TRUE(std::isnan(x[6]));
  });
}

TEST(VectorSigmoid, FromEndToEnd) {
  for_each_target([](const char* name) {
    SCOPED_TRACE(name);
    std::vector<float> x{0.0f, 20.0f, -20.0f, 1e4f, -1e4f, infinity, -infinity, std::nanf("")};
    std::vector<float> y = x;
    HWY_DYNAMIC_DISPATCH(cpu::sigmoid_of)(y);
    for (int i = 0; i < 3; ++i) {
      const double right = 1.0 / (1.0 + std::exp(-static_cast<double>(x[i])));
      EXPECT_NEAR(y[i], right, 4.0 * rounding * right) << x[i];
    }
    EXPECT_EQ(y[3], 1.0f);
    EXPECT_EQ(y[4], 0.0f);
    EXPECT_EQ(y[5], 1.0f);
    EXPECT_EQ(y[6], 0.0f);
    EXPECT_TRUE(std::isnan(y[7]));
  });
}

}  // namespace
}  // namespace burnish::test
#endif
