#include "train/spike.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "measure/metrics_file.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_tools::fresh_folder;
using testing_tools::tiny_request;

SpikeDetector after(int steps) {
  SpikeDetector detector;
  for (int i = 0; i < steps; ++i) detector.add(2.0 + 0.1 * (i % 3), 1.0 + 0.2 * (i % 5));
  return detector;
}

TEST(SpikeDetector, SeesWhatStandsOut) {
  const SpikeDetector detector = after(60);
  EXPECT_FALSE(detector.look(2.2, 1.8));
  EXPECT_FALSE(detector.look(2.4, 2.5)) << "above the others, but not by much";
  EXPECT_THAT(detector.look(9.0, 1.4).value(), HasSubstr("loss 9.0000 is 4.3 times the median"));
  EXPECT_THAT(detector.look(2.1, 30.0).value(), HasSubstr("gradient norm 30.0000 is 21.4 times"));
  EXPECT_THAT(detector.look(9.0, 30.0).value(), HasSubstr(", gradient norm"));
}

TEST(SpikeDetector, NeedsSomethingToCompareWith) {
  EXPECT_FALSE(after(19).look(900.0, 900.0));
  EXPECT_TRUE(after(20).look(900.0, 900.0));
}

TEST(SpikeDetector, WhatIsNotFiniteIsNotItsBusiness) {
  SpikeDetector detector = after(30);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(detector.look(nan, nan));
  for (int i = 0; i < 200; ++i) detector.add(nan, nan);
  EXPECT_TRUE(detector.look(9.0, 1.0)) << "the finite ones are still there";
}

TEST(SpikeDetector, GetsUsedToANewLevel) {
  SpikeDetector detector = after(100);
  for (int i = 0; i < 100; ++i) detector.add(9.0 + 0.1 * (i % 3), 1.0);
  EXPECT_FALSE(detector.look(9.2, 1.0));
}

/// Forty rows, all alike but for the thirtieth.
fs::path planted_data() {
  const fs::path file = fresh_folder("spike") / "data.jsonl";
  const auto line = [](const std::string& answer) {
    return R"({"messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": ")" +
           answer + "\"}]}\n";
  };
  std::string text;
  for (int i = 1; i <= 40; ++i)
    text += line(i == 30 ? "The town by the river past the mill 12345" : "a a a a");
  write_text_file(file, text);
  return file;
}

TrainRequest spiking_run(const fs::path& data, const fs::path& output, const std::string& action) {
  return tiny_request(data,
                      {"train.global_batch_rows=1", "train.end={epochs: 1}",
                       "optimizer.learning_rate=0.02", "train.on_spike=" + action},
                      output);
}

TEST(Spikes, AreWarnedAboutWithTheirRows) {
  const fs::path data = planted_data(), output = fresh_folder("run");
  train(spiking_run(data, output, "warn"));
  const auto steps = read_metrics(output / "metrics.jsonl").steps;
  ASSERT_EQ(steps.size(), 40U);
  EXPECT_TRUE(steps[29].spike);
  EXPECT_FALSE(steps[29].skipped);
  EXPECT_FALSE(steps[28].spike);
  const std::string log = read_text_file(output / "log.txt");
  EXPECT_THAT(log, HasSubstr("step 30: loss"));
  EXPECT_THAT(log, HasSubstr("row 29: loss " + std::to_string(steps[29].loss).substr(0, 5)));
  EXPECT_THAT(log, HasSubstr(data.string() + ":30"));
}

TEST(Spikes, CanBeSkipped) {
  const fs::path data = planted_data(), output = fresh_folder("run");
  train(spiking_run(data, output, "skip"));
  const auto steps = read_metrics(output / "metrics.jsonl").steps;
  EXPECT_TRUE(steps[29].spike);
  EXPECT_TRUE(steps[29].skipped);
  EXPECT_LT(steps[30].loss, 2 * steps[28].loss) << "the odd row has taught it nothing";
}

TEST(Spikes, CanStopTheRunWhichGoesOnFromThere) {
  const fs::path data = planted_data(), output = fresh_folder("run"), whole = fresh_folder("run");
  try {
    train(spiking_run(data, output, "stop"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::spike);
    EXPECT_THAT(error.what(), HasSubstr("step 30"));
    EXPECT_THAT(error.what(), HasSubstr("train.on_spike"));
  }
  EXPECT_TRUE(fs::exists(output / "checkpoints" / "step-00000029"));
  TrainRequest more = spiking_run(data, output, "skip");
  more.resume = true;
  train(more);
  train(spiking_run(data, whole, "skip"));
  const auto resumed = read_metrics(output / "metrics.jsonl").steps;
  const auto expected = read_metrics(whole / "metrics.jsonl").steps;
  ASSERT_EQ(resumed.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(resumed[i].loss, expected[i].loss) << i;
}

}  // namespace
}  // namespace burnish
