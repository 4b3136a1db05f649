// The main job on its real model and real conversations: minutes a test, hence the label `slow`.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_helper.h"
#include "measure/metrics_file.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

/// The held-out token-mean loss before and after `burnish quickstart` with `settings`.
std::pair<double, double> held_out_losses(const std::vector<std::string>& settings) {
  const std::string folder = scratch_folder();
  std::vector<std::string> arguments{"quickstart", "--output", folder + "/run"};
  for (const std::string& setting : settings) {
    arguments.push_back("--set");
    arguments.push_back(setting);
  }
  const Finished finished = run_burnish(arguments);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("./burnish chat " + folder + "/run/model"), std::string::npos);
  const auto lines = read_metrics(folder + "/run/metrics.jsonl").evaluations;
  fs::remove_all(folder);
  if (lines.size() < 2) return {0, 0};
  return {lines.front().loss, lines.back().loss};
}

class QuickstartSeeds : public testing::TestWithParam<int> {};

TEST_P(QuickstartSeeds, HeldOutLossFallsByAQuarter) {
  const auto [before, after] = held_out_losses({"data.shuffle.seed=" + std::to_string(GetParam())});
  RecordProperty("before", std::to_string(before));
  RecordProperty("after", std::to_string(after));
  EXPECT_GT(before, 1.0);
  EXPECT_LE(after, 0.75 * before);
}

INSTANTIATE_TEST_SUITE_P(Three, QuickstartSeeds, testing::Values(0, 1, 2));

TEST(Quickstart, LearningRateZeroChangesNothing) {
  const auto [before, after] = held_out_losses(
      {"train.end.steps=2", "optimizer.learning_rate=0", "optimizer.schedule.min_learning_rate=0"});
  EXPECT_GT(before, 1.0);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace burnish
