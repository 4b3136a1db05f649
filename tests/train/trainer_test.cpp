// What a recipe asks of a run beside its numbers: what is trained, when it ends, what is kept.
#include "train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "format/safetensors.h"
#include "measure/metrics_file.h"
#include "tiny_model.h"
#include "train/tiny_run_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing_tools::case_folder;
using testing_tools::TinyRun;
using testing_tools::train_tiny;

fs::path data() {
  return case_folder("F09") / "data.jsonl";
}

std::string held_out() {
  return "data.evaluation={held_out: " + (case_folder("J01") / "data.jsonl").string() + "}";
}

/// The exported tensors whose bytes are not those of the base model.
std::vector<std::string> changed_tensors(const TinyRun& run) {
  const SafetensorsFile before(testing_tools::tiny_llama() / "model.safetensors");
  const SafetensorsFile after(run.folder / "model" / "model.safetensors");
  std::vector<std::string> changed;
  for (const StoredTensor& tensor : after.tensors()) {
    const auto old = before.find(tensor.name)->bytes;
    if (!std::equal(old.begin(), old.end(), tensor.bytes.begin(), tensor.bytes.end()))
      changed.push_back(tensor.name);
  }
  return changed;
}

std::vector<double> held_out_losses(const TinyRun& run) {
  std::vector<double> losses;
  for (const EvaluationLine& line : read_metrics(run.folder / "metrics.jsonl").evaluations)
    losses.push_back(line.loss);
  return losses;
}

TEST(Trainer, ChangesOnlyWhatIsTrainable) {
  const auto run = train_tiny(data(), {"optimizer.learning_rate=0.01",
                                       "model.trainable=[model.layers.0.mlp.*, '*.1.*q*']"});
  EXPECT_THAT(changed_tensors(run),
              testing::UnorderedElementsAre(
                  "model.layers.0.mlp.gate_proj.weight", "model.layers.0.mlp.up_proj.weight",
                  "model.layers.0.mlp.down_proj.weight", "model.layers.1.self_attn.q_proj.weight"));
  EXPECT_LT(run.summary["trained_parameters"], run.summary["parameters"]);
}

TEST(Trainer, GroupsHaveRatesOfTheirOwn) {
  const auto run =
      train_tiny(data(), {"optimizer.learning_rate=0.01",
                          "optimizer.groups=[{pattern: '*.layers.*', learning_rate: 0}]"});
  for (const std::string& name : changed_tensors(run))
    EXPECT_EQ(name.find(".layers."), std::string::npos) << name;
  EXPECT_THAT(changed_tensors(run), testing::Contains("model.norm.weight"));
}

TEST(Trainer, EndsByTokensAndByEpochs) {
  const auto by_tokens = train_tiny(data(), {"train.end={tokens: 300}"});
  int64_t before_last = 0;
  const auto tokens = by_tokens.summary["tokens"].get<std::vector<int64_t>>();
  for (size_t i = 0; i + 1 < tokens.size(); ++i) before_last += tokens[i];
  EXPECT_LT(before_last, 300);
  EXPECT_GE(before_last + tokens.back(), 300);

  const auto once = train_tiny(data(), {"train.end={epochs: 1}"});
  const auto twice = train_tiny(data(), {"train.end={epochs: 2}"});
  const int64_t rows = read_metrics(once.folder / "metrics.jsonl").steps.back().row_ids.back() + 1;
  EXPECT_EQ(rows, once.summary["data"]["samples"]);
  EXPECT_EQ(twice.summary["steps"], 2 * once.summary["steps"].get<int64_t>());
}

TEST(Trainer, KeepBestExportsTheBestWeights) {
  // a rate at which the loss falls at first and then flies off
  const auto run =
      train_tiny(data(), {held_out(), "optimizer.learning_rate=0.05", "train.end={steps: 12}",
                          "evaluation.every_steps=1", "evaluation.keep_best=true"});
  const std::vector<double> losses = held_out_losses(run);
  const double best = *std::min_element(losses.begin(), losses.end());
  ASSERT_LT(best, losses.front());
  ASSERT_LT(best, losses.back());

  const auto again = train_tiny(data(), {held_out(), "optimizer.learning_rate=0",
                                         "model.source=" + (run.folder / "model").string()});
  EXPECT_DOUBLE_EQ(held_out_losses(again).front(), best);
  EXPECT_THAT(read_text_file(run.folder / "model" / "README.md"),
              testing::HasSubstr(std::to_string(best).substr(0, 5)));
}

TEST(Trainer, StopsWhenNothingIsGained) {
  const auto run = train_tiny(
      data(), {held_out(), "optimizer.learning_rate=1", "train.end={steps: 40}",
               "evaluation.every_steps=1", "evaluation.stop_after_evaluations_without_gain=2"});
  const std::vector<double> losses = held_out_losses(run);
  EXPECT_LT(run.summary["steps"], 40);
  const double best = *std::min_element(losses.begin(), losses.end());
  EXPECT_EQ(losses[losses.size() - 3], best);
}

TEST(Trainer, InitFromTakesTheWeightsAlone) {
  const auto first = train_tiny(data(), {held_out(), "optimizer.learning_rate=0.01",
                                         "train.end={steps: 3}", "checkpoint.every_steps=3"});
  const fs::path checkpoint = first.folder / "checkpoints" / "step-00000003";
  for (const fs::path& from : {checkpoint, first.folder / "model"}) {
    const auto second = train_tiny(
        data(), {held_out(), "optimizer.learning_rate=0.01", "train.init_from=" + from.string()});
    EXPECT_EQ(held_out_losses(second).front(), held_out_losses(first).back());
    EXPECT_EQ(second.summary["steps"], 1);
  }
}

TEST(Trainer, Fp64IsDoubleThroughout) {
  const std::vector<std::string> settings{"optimizer.learning_rate=0.01", "train.end={steps: 3}",
                                          "checkpoint.every_steps=3"};
  auto in_double = settings;
  in_double.push_back("precision=fp64");
  const auto narrow = train_tiny(data(), settings), wide = train_tiny(data(), in_double);
  const fs::path checkpoint = wide.folder / "checkpoints" / "step-00000003";
  for (const char* file : {"weights.safetensors", "moments.safetensors"})
    for (const SafetensorsFile tensors(checkpoint / file);
         const StoredTensor& tensor : tensors.tensors())
      EXPECT_EQ(tensor.dtype, DType::f64) << tensor.name;
  for (size_t step = 0; step < 3; ++step) {
    const double a = narrow.summary["losses"][step], b = wide.summary["losses"][step];
    EXPECT_NEAR(a, b, 1e-5);
    EXPECT_NE(a, b);
  }
}

TEST(Trainer, RefusesToGoOnWithoutFiniteGradients) {
  const fs::path broken = testing_tools::make_tiny_llama(testing_tools::fresh_folder("nan"));
  std::string bytes = read_text_file(broken / "model.safetensors");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + bytes.size() - sizeof nan, &nan, sizeof nan);
  write_text_file(broken / "model.safetensors", bytes);
  const fs::path output = testing_tools::fresh_folder("run");
  const auto request = testing_tools::tiny_request(
      data(), {"model.source=" + broken.string(), "train.end={steps: 20}"}, output);
  try {
    train(request);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_finite);
    EXPECT_THAT(error.what(), testing::HasSubstr("step 10"));
  }
  const Metrics metrics = read_metrics(output / "metrics.jsonl");
  EXPECT_EQ(metrics.steps.size(), 10U);
  for (const StepLine& line : metrics.steps) EXPECT_TRUE(line.skipped);
}

TEST(Trainer, AnswersPromptsBeforeAndAfter) {
  const auto run =
      train_tiny(data(), {"evaluation.prompts=['Why?', 'How?']", "evaluation.prompt_tokens=4"});
  std::vector<std::pair<int64_t, std::string>> asked;
  for (const AnswerLine& line : read_metrics(run.folder / "metrics.jsonl").answers)
    asked.emplace_back(line.step, line.prompt);
  EXPECT_THAT(asked, testing::ElementsAre(testing::Pair(0, "Why?"), testing::Pair(0, "How?"),
                                          testing::Pair(1, "Why?"), testing::Pair(1, "How?")));
}

}  // namespace
}  // namespace burnish
