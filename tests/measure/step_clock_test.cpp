#include "measure/step_clock.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace burnish {
namespace {

// Three clocks that the test moves by hand.
struct FakeTime {
  ClockReading now{100.0, 5.0, 2000.0};
  void pass(double wall_s, double cpu_s) {
    now.monotonic_s += wall_s;
    now.realtime_s += wall_s;
    now.cpu_s += cpu_s;
  }
};

class StepClockTest : public testing::Test {
 protected:
  FakeTime time;
  StepClock clock{1990.0, [this] { return time.now; }};

  StepTimes step(double wall_s, double cpu_s, int64_t tokens) {
    clock.begin_step();
    time.pass(wall_s, cpu_s);
    return clock.end_step(tokens);
  }
};

TEST_F(StepClockTest, FiguresMeanWhatThePeersMean) {
  // tokens_per_s and cpu_s_per_token leave out the first step; startup_s ends where it begins
  time.pass(2.0, 1.0);
  step(9.0, 18.0, 1000);
  time.pass(0.5, 0.5);  // between steps: in no figure
  step(2.0, 3.5, 400);
  step(3.0, 6.5, 600);
  const Throughput all = clock.summary();
  EXPECT_EQ(all.steps, 3);
  EXPECT_EQ(all.tokens, 2000);
  EXPECT_DOUBLE_EQ(all.steps_s, 14.0);
  EXPECT_DOUBLE_EQ(all.tokens_per_s.value(), 1000 / 5.0);
  EXPECT_DOUBLE_EQ(all.cpu_s_per_token.value(), 10.0 / 1000);
  EXPECT_DOUBLE_EQ(all.startup_s.value(), 12.0);
  EXPECT_GT(all.peak_rss_mib, 1);
}

TEST_F(StepClockTest, TheWaitForDataIsPartOfTheStep) {
  step(1.0, 1.0, 10);
  clock.begin_step();
  const int batch = clock.wait_for_data([&] {
    time.pass(0.25, 0.0);
    return 7;
  });
  EXPECT_EQ(batch, 7);
  time.pass(0.75, 1.5);
  const StepTimes times = clock.end_step(10);
  EXPECT_DOUBLE_EQ(times.step_s, 1.0);
  EXPECT_DOUBLE_EQ(times.data_wait_s, 0.25);
  EXPECT_DOUBLE_EQ(clock.summary().data_wait_share.value(), 0.25);
  EXPECT_DOUBLE_EQ(step(1.0, 1.0, 10).data_wait_s, 0.0) << "a wait belongs to one step";
}

TEST_F(StepClockTest, EvaluationStandsOutsideTheSteps) {
  const auto evaluate = [&] { time.pass(5.0, 10.0); };
  step(1.0, 2.0, 10);
  clock.outside(evaluate);
  clock.begin_step();
  time.pass(1.0, 2.0);
  clock.outside(evaluate);
  const StepTimes times = clock.end_step(10);
  EXPECT_DOUBLE_EQ(times.step_s, 1.0);
  EXPECT_DOUBLE_EQ(times.cpu_s, 2.0);
  clock.outside(evaluate);
  const Throughput all = clock.summary();
  EXPECT_DOUBLE_EQ(all.outside_s, 15.0);
  EXPECT_DOUBLE_EQ(all.tokens_per_s.value(), 10.0);
  EXPECT_DOUBLE_EQ(all.cpu_s_per_token.value(), 0.2);
  EXPECT_DOUBLE_EQ(clock.elapsed_s(), 17.0);
}

TEST_F(StepClockTest, AnErrorOutsideLeavesTheClockWhole) {
  clock.begin_step();
  EXPECT_THROW(clock.outside([&] {
    time.pass(2.0, 2.0);
    throw Error(ErrorCode::io, "disk full");
  }),
               Error);
  time.pass(1.0, 1.0);
  EXPECT_DOUBLE_EQ(clock.end_step(1).step_s, 1.0);
}

TEST_F(StepClockTest, WithoutASecondStepThereAreNoRates) {
  EXPECT_FALSE(clock.summary().startup_s);
  EXPECT_EQ(clock.elapsed_s(), 0.0);
  step(1.0, 1.0, 10);
  const Throughput all = clock.summary();
  EXPECT_EQ(all.tokens, 10);
  EXPECT_FALSE(all.tokens_per_s);
  EXPECT_FALSE(all.cpu_s_per_token);
  EXPECT_FALSE(all.data_wait_share);
  EXPECT_FALSE(clock.recent_tokens_per_s());
}

TEST_F(StepClockTest, TheRecentRateLooksAtTheLastSteps) {
  step(1.0, 1.0, 1000);
  step(1.0, 1.0, 10);
  EXPECT_DOUBLE_EQ(clock.recent_tokens_per_s().value(), 10.0) << "never the first step";
  step(1.0, 1.0, 20);
  step(1.0, 1.0, 40);
  EXPECT_DOUBLE_EQ(clock.recent_tokens_per_s(2).value(), 30.0);
}

TEST_F(StepClockTest, AStepThatDidNotBeginCannotEnd) {
  EXPECT_THROW(clock.end_step(1), Error);
  step(1.0, 1.0, 1);
  EXPECT_THROW(clock.end_step(1), Error);
}

TEST(TimeLeft, FollowsThePaceOfThisProcess) {
  EXPECT_DOUBLE_EQ(time_left_s(30.0, 0.25).value(), 90.0);
  EXPECT_DOUBLE_EQ(time_left_s(30.0, 0.75, 0.5).value(), 30.0) << "resumed at one half";
  EXPECT_DOUBLE_EQ(time_left_s(30.0, 1.0).value(), 0.0);
  EXPECT_DOUBLE_EQ(time_left_s(30.0, 1.1).value(), 0.0);
  EXPECT_FALSE(time_left_s(30.0, 0.0));
  EXPECT_FALSE(time_left_s(30.0, 0.5, 0.5));
  EXPECT_FALSE(time_left_s(30.0, std::nan("")));
}

TEST(ReadClocks, GoForward) {
  const ClockReading a = read_clocks(), b = read_clocks();
  EXPECT_LE(a.monotonic_s, b.monotonic_s);
  EXPECT_LE(a.cpu_s, b.cpu_s);
  EXPECT_GT(a.realtime_s, 1.7e9);
}

}  // namespace
}  // namespace burnish
