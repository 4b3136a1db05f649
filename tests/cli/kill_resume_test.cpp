// A run that is killed again and again, half of the times inside a checkpoint or export write, ends
// with the same steps and the same bits as one that was left alone.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "measure/metrics_file.h"
#include "tiny_model.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

const fs::path kCases = fs::path(BURNISH_TEST_DATA) / "cases";
constexpr int kKills = 20;

class KilledRuns : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("burnish_kill_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    testing_tools::make_tiny_llama(folder_ / "base");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path recipe(const std::string& name) const {
    const fs::path file = folder_ / (name + ".yaml");
    std::ofstream(file) << "schema_version: 1\nmodel: {source: " << (folder_ / "base").string()
                        << "}\ndata: {train: ["
                        << (kCases / "F09-resume-position" / "data.jsonl").string()
                        << "], sequence_length: 64, shuffle: {seed: 3}}\n"
                        << "train: {end: {steps: 24}, global_batch_rows: 2, threads: 1}\n"
                        << "optimizer: {learning_rate: 1.0e-3, weight_decay: 0.1}\n"
                        << "checkpoint: {every_steps: 3, keep: 2}\noutput: "
                        << (folder_ / name).string() << "\n";
    return file;
  }

  // Ends with the process's wait status. `kill_after_bytes` < 0: no fault; `kill_after_us` < 0: no
  // timer.
  static int train(const fs::path& recipe, bool resume, int64_t kill_after_bytes,
                   int64_t kill_after_us) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (kill_after_bytes >= 0)
        ::setenv("BURNISH_FAULT_KILL_AFTER_BYTES", std::to_string(kill_after_bytes).c_str(), 1);
      const std::string binary = std::string(BURNISH_BINARY_DIR) + "/burnish";
      ::execl(binary.c_str(), "burnish", "train", recipe.c_str(), "--quiet",
              resume ? "--resume" : nullptr, nullptr);
      ::_exit(99);
    }
    if (kill_after_us >= 0) {
      ::usleep(static_cast<useconds_t>(kill_after_us));
      ::kill(child, SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_;
};

std::string hash_of_newest_checkpoint(const fs::path& run, const std::string& file) {
  return sha256_of_file(run / "checkpoints" / "step-00000024" / file);
}

TEST_F(KilledRuns, EndLikeAnUndisturbedOne) {
  const fs::path undisturbed = recipe("undisturbed"), killed = recipe("killed");
  ASSERT_EQ(train(undisturbed, false, -1, -1), 0);

  bool begun = false;
  int kills = 0, inside = 0;
  for (int attempt = 0; kills < kKills && attempt < 60; ++attempt) {
    const bool resume = begun && fs::exists(folder_ / "killed" / "recipe.yaml");
    // a checkpoint is about 170 kB: these limits fall into weights, moments, state, and the export
    const int64_t bytes = attempt % 2 == 0 ? 9'000 + 37'000 * attempt : -1;
    const int64_t after_us = bytes < 0 ? 350'000 + 60'000 * (attempt % 7) : -1;
    const int status = train(killed, resume, bytes, after_us);
    begun = true;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      ++kills;
      inside += bytes >= 0;
    } else {
      ASSERT_TRUE(WIFEXITED(status)) << "attempt " << attempt;
      ASSERT_EQ(WEXITSTATUS(status), 0) << "attempt " << attempt;
      fs::remove_all(folder_ / "killed");  // it came to its end: begin again
      begun = false;
    }
  }
  ASSERT_GE(kills, kKills);
  ASSERT_GE(inside, 8) << "kills inside a write";
  ASSERT_EQ(train(killed, fs::exists(folder_ / "killed" / "recipe.yaml"), -1, -1), 0);

  const Metrics a = read_metrics(folder_ / "undisturbed" / "metrics.jsonl");
  const Metrics b = read_metrics(folder_ / "killed" / "metrics.jsonl");
  ASSERT_EQ(a.steps.size(), 24u);
  ASSERT_EQ(b.steps.size(), 24u);
  for (size_t i = 0; i < a.steps.size(); ++i) {
    EXPECT_EQ(a.steps[i].step, b.steps[i].step);
    EXPECT_EQ(a.steps[i].row_ids, b.steps[i].row_ids);
    EXPECT_EQ(a.steps[i].loss, b.steps[i].loss);
    EXPECT_EQ(a.steps[i].gradient_norm, b.steps[i].gradient_norm);
    EXPECT_EQ(a.steps[i].learning_rate, b.steps[i].learning_rate);
  }
  for (const std::string file : {"weights.safetensors", "moments.safetensors"})
    EXPECT_EQ(hash_of_newest_checkpoint(folder_ / "undisturbed", file),
              hash_of_newest_checkpoint(folder_ / "killed", file));
  EXPECT_EQ(sha256_of_file(folder_ / "undisturbed" / "model" / "model.safetensors"),
            sha256_of_file(folder_ / "killed" / "model" / "model.safetensors"));
}

}  // namespace
}  // namespace burnish
