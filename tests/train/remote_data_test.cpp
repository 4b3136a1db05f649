// A run whose data is read from the hub as a stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "hub/server_helper.h"
#include "measure/metrics_file.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_hub::FakeHub;
using testing_hub::kCommit;
using testing_hub::Request;
using testing_hub::Server;
using testing_tools::train_tiny;

class RemoteData : public testing::Test {
 protected:
  void SetUp() override {
    hub.files["chat.jsonl"] = {read_text_file(local)};
    ::setenv("HF_ENDPOINT", server.url().c_str(), 1);
  }
  void TearDown() override { ::unsetenv("HF_ENDPOINT"); }

  static std::vector<std::string> settings(int steps) {
    return {"data.train=[hf://datasets/org/name@v1/chat.jsonl]", "optimizer.learning_rate=0.01",
            "checkpoint.every_steps=1", "train.end={steps: " + std::to_string(steps) + "}"};
  }
  static std::vector<double> losses(const fs::path& run) {
    std::vector<double> found;
    for (const StepLine& line : read_metrics(run / "metrics.jsonl").steps)
      found.push_back(line.loss);
    return found;
  }

  const fs::path local = testing_tools::case_folder("F09") / "data.jsonl";
  FakeHub hub;
  Server server{[this](const Request& request) { return hub(request); }};
};

TEST_F(RemoteData, TrainsAsTheLocalFileDoesAndNamesTheCommit) {
  auto on_disk = settings(2);
  on_disk.front() = "data.train=[" + local.string() + "]";
  const auto expected = train_tiny(local, on_disk);
  const auto run = train_tiny(local, settings(2));
  EXPECT_EQ(losses(run.folder), losses(expected.folder));
  EXPECT_EQ(losses(run.folder).size(), 2u);
  EXPECT_THAT(read_text_file(run.folder / "recipe.yaml"),
              HasSubstr("hf://datasets/org/name@" + kCommit + "/chat.jsonl"));
}

TEST_F(RemoteData, AResumedRunStaysAtItsCommit) {
  const auto expected = train_tiny(local, settings(3));
  const auto run = train_tiny(local, settings(2));
  fs::remove_all(run.folder / "model");
  server.forget_requests();
  TrainRequest request = testing_tools::tiny_request(local, settings(3), run.folder);
  request.resume = true;
  train(request);
  EXPECT_EQ(losses(run.folder), losses(expected.folder));
  for (const Request& asked : server.requests())
    EXPECT_EQ(asked.path.find("/revision/"), std::string::npos) << asked.path;
}

}  // namespace
}  // namespace burnish
