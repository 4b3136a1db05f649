#include <gtest/gtest.h>

#include <chrono>

#include "kernel/kernel_choice.h"
#include "kernel/matrix_rate.h"
#include "kernel/operation.h"

namespace burnish::test {
namespace {

TEST(KernelTargets, NamesTheChosenInstructionSet) {
  for_each_target([](const char* name) { EXPECT_EQ(kernel_targets(), name); });
  EXPECT_FALSE(kernel_targets().empty());
}

TEST(MatrixRate, MeasuresForAboutTheTimeGiven) {
  const auto start = std::chrono::steady_clock::now();
  const double gflops = measure_matrix_gflops(0.05);
  EXPECT_GT(gflops, 0.1);
  EXPECT_LT(gflops, 1e6);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
}

}  // namespace
}  // namespace burnish::test
