// `burnish train` from the outside: its JSON line, its folder, and how it stops and goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/run_helper.h"
#include "measure/metrics_file.h"
#include "tiny_model.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class TrainCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_folder();
    testing_tools::make_tiny_llama(folder_ / "base");
    const fs::path data =
        fs::path(BURNISH_TEST_DATA) / "cases" / "F09-resume-position" / "data.jsonl";
    std::ofstream(recipe()) << "model: {source: " << (folder_ / "base").string()
                            << "}\ndata: {train: [" << data.string()
                            << "], sequence_length: 64}\ntrain: {end: {steps: 3}, "
                            << "global_batch_rows: 2}\noutput: " << output().string() << "\n";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string recipe() const { return (folder_ / "recipe.yaml").string(); }
  fs::path output() const { return folder_ / "run"; }
  fs::path folder_;
};

TEST_F(TrainCommand, EndsWithOneJsonLine) {
  const Finished done = run_burnish({"train", recipe(), "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json line = Json::parse(done.out);
  EXPECT_EQ(line["tokens"].size(), 3U);
  EXPECT_EQ(line["losses"].size(), 3U);
  EXPECT_GT(line["tokens_per_s"].get<double>(), 0);
  EXPECT_GT(line["cpu_s_per_token"].get<double>(), 0);
  EXPECT_GT(line["startup_s"].get<double>(), 0);
  EXPECT_GT(line["peak_rss_mib"].get<double>(), 0);
  EXPECT_THAT(done.err, HasSubstr("3 steps in "));
}

TEST_F(TrainCommand, LeavesAWholeRunFolder) {
  ASSERT_EQ(run_burnish({"train", recipe(), "--quiet"}).code, 0);
  for (const char* file : {"recipe.yaml", "metrics.jsonl", "report.html", "model/config.json",
                           "model/model.safetensors", "model/tokenizer.json",
                           "model/generation_config.json", "model/README.md"})
    EXPECT_TRUE(fs::exists(output() / file)) << file;
  EXPECT_FALSE(fs::is_empty(output() / "tensorboard"));
  const std::string report = read_text_file(output() / "report.html");
  for (const char* network : {"http://", "https://", "src=\"//"})
    EXPECT_EQ(report.find(network), std::string::npos) << network;
}

TEST_F(TrainCommand, SigtermSavesAndResumeGoesOn) {
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove_all(output());
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string binary = std::string(BURNISH_BINARY_DIR) + "/burnish";
      ::freopen((folder_ / "err").c_str(), "w", stderr);
      ::execl(binary.c_str(), "burnish", "train", recipe().c_str(), "--set",
              "train.end.steps=100000", nullptr);
      ::_exit(99);
    }
    // the first step is written: the run is in its loop
    while (!fs::exists(output() / "metrics.jsonl") ||
           fs::file_size(output() / "metrics.jsonl") == 0) {
      ::usleep(20'000);
      ASSERT_EQ(::waitpid(child, nullptr, WNOHANG), 0) << "ended early";
    }
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), exit_code(ErrorCode::interrupted));
    EXPECT_THAT(read_text_file(folder_ / "err"), HasSubstr("--resume"));

    const int64_t done = read_metrics(output() / "metrics.jsonl").steps.back().step;
    const std::string end = "train.end.steps=" + std::to_string(done + 2);
    const Finished resumed = run_burnish({"train", recipe(), "--resume", "--set", end});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("after step " + std::to_string(done)));
    EXPECT_EQ(read_metrics(output() / "metrics.jsonl").steps.back().step, done + 2);
  }
}

TEST_F(TrainCommand, ConvertsChatterbotIntoAHeldOutSplit) {
  const fs::path corpus = folder_ / "english";
  fs::create_directories(corpus);
  std::ofstream(corpus / "a.yml")
      << "categories:\n- a\nconversations:\n- - Hi\n  - Hello\n- - Who?\n"
         "  - Me\n- - Where?\n  - Here\n- - When?\n  - Now\n";
  const std::string train = (folder_ / "train.jsonl").string(),
                    held = (folder_ / "held.jsonl").string();
  const Finished done = run_burnish({"data", "convert", "chatterbot", corpus.string(), "--train",
                                     train, "--held-out", held, "--held-out-share", "0.25"});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string both = read_text_file(train) + read_text_file(held);
  for (const char* word : {"Hello", "Me", "Here", "Now"}) EXPECT_THAT(both, HasSubstr(word));
  EXPECT_EQ(std::count(both.begin(), both.end(), '\n'), 4);
  EXPECT_GT(fs::file_size(held), 0U);
  const Finished refused =
      run_burnish({"data", "convert", "chatterbot", (folder_ / "none").string(), "--train", train,
                   "--held-out", held});
  EXPECT_EQ(refused.code, exit_code(ErrorCode::io)) << refused.err;
}

}  // namespace
}  // namespace burnish
