// What is kept in which number format, and what that does to training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "base/file.h"
#include "format/safetensors.h"
#include "measure/metrics_file.h"
#include "tiny_model.h"
#include "train/loss_scale.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing_tools::case_folder;
using testing_tools::expected_of;
using testing_tools::TinyRun;
using testing_tools::train_tiny;

/// All eight rows of I02 as one batch.
std::vector<std::string> i02_settings(const std::string& precision) {
  const fs::path folder = case_folder("I02");
  return {"precision=" + precision,
          "model.template=" + (folder / "template.jinja").string(),
          "data.evaluation={rows: " + (folder / "data.jsonl").string() + "}",
          "train.global_batch_rows=8",
          "train.end={steps: 60}",
          "optimizer.learning_rate=1e-5"};
}

std::vector<uint16_t> bf16_of(const StoredTensor& tensor) {
  std::vector<uint16_t> values(tensor.bytes.size() / size_of(tensor.dtype));
  if (tensor.dtype == DType::bf16) {
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    return values;
  }
  const auto* floats = reinterpret_cast<const float*>(tensor.bytes.data());
  for (size_t i = 0; i < values.size(); ++i) {  // rounded to nearest even
    uint32_t bits = 0;
    std::memcpy(&bits, floats + i, sizeof bits);
    values[i] = static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  }
  return values;
}

/// Share of the bf16 weights that are not what they were.
double changed_share(const TinyRun& run) {
  const SafetensorsFile before(testing_tools::tiny_llama() / "model.safetensors");
  const SafetensorsFile after(run.folder / "model" / "model.safetensors");
  int64_t changed = 0, all = 0;
  for (const StoredTensor& tensor : after.tensors()) {
    EXPECT_EQ(tensor.dtype, DType::bf16) << tensor.name;
    const auto old = bf16_of(*before.find(tensor.name)), now = bf16_of(tensor);
    for (size_t i = 0; i < now.size(); ++i) changed += old[i] != now[i];
    all += static_cast<int64_t>(now.size());
  }
  return static_cast<double>(changed) / static_cast<double>(all);
}

/// The loss of I02's rows under a model's weights, computed in fp32.
double loss_in_fp32(const fs::path& model) {
  auto settings = i02_settings("fp32");
  settings.push_back("train.end={steps: 1}");
  settings.push_back("optimizer.learning_rate=0");
  settings.push_back("model.source=" + model.string());
  const auto again = train_tiny(case_folder("I02") / "data.jsonl", settings);
  return read_metrics(again.folder / "metrics.jsonl").evaluations.front().loss;
}

/// The master weights of a run's last checkpoint as a model.
fs::path masters_of(const TinyRun& run) {
  const fs::path folder = testing_tools::make_tiny_llama(testing_tools::fresh_folder("masters"));
  const SafetensorsFile file(run.folder / "checkpoints" / "step-00000060" / "moments.safetensors");
  std::vector<TensorToWrite> tensors;
  for (const StoredTensor& tensor : file.tensors()) {
    const size_t end = tensor.name.rfind(".master");
    if (end == std::string::npos) continue;
    tensors.push_back({tensor.name.substr(0, end), tensor.dtype, tensor.shape,
                       [&tensor](const auto& sink) { sink(tensor.bytes); }});
  }
  write_safetensors(folder / "model.safetensors", tensors, {{"format", "pt"}});
  return folder;
}

TEST(Precision, I02ABf16RunWithAMasterLosesNoUpdates) {
  const auto expected = expected_of("I02")["tiny_llama"];
  const double start = expected["loss_start"], right = expected["with_master"]["loss"];
  auto settings = i02_settings("bf16");
  settings.push_back("checkpoint.every_steps=60");
  const auto run = train_tiny(case_folder("I02") / "data.jsonl", settings);
  EXPECT_NEAR(loss_in_fp32(masters_of(run)), right, 0.02 * (start - right));
  EXPECT_NEAR(changed_share(run), expected["with_master"]["share_of_bf16_weights_changed"], 0.02);
}

TEST(Precision, I02PureBf16LosesThem) {
  const auto expected = expected_of("I02")["tiny_llama"];
  const double start = expected["loss_start"], wrong = expected["pure_bf16_wrong"]["loss"];
  const auto run = train_tiny(case_folder("I02") / "data.jsonl", i02_settings("pure_bf16"));
  EXPECT_NEAR(loss_in_fp32(run.folder / "model"), wrong,
              0.02 * (start - double(expected["with_master"]["loss"])));
  EXPECT_NEAR(changed_share(run), expected["pure_bf16_wrong"]["share_of_bf16_weights_changed"],
              0.005);
}

fs::path data() {
  return case_folder("F09") / "data.jsonl";
}

std::vector<std::string> run_of(int steps, const std::string& precision) {
  return {"precision=" + precision, "optimizer.learning_rate=0.001",
          "train.end={steps: " + std::to_string(steps) + "}", "checkpoint.every_steps=3"};
}

TEST(Precision, CheckpointsHoldWhatTheRecipeSays) {
  const auto run = train_tiny(data(), run_of(3, "{weights: bf16, moments: bf16}"));
  const fs::path checkpoint = run.folder / "checkpoints" / "step-00000003";
  for (const SafetensorsFile weights(checkpoint / "weights.safetensors");
       const StoredTensor& tensor : weights.tensors())
    EXPECT_EQ(tensor.dtype, DType::bf16) << tensor.name;
  size_t masters = 0;
  for (const SafetensorsFile state(checkpoint / "moments.safetensors");
       const StoredTensor& tensor : state.tensors()) {
    const bool master = tensor.name.ends_with(".master");
    masters += master;
    EXPECT_EQ(tensor.dtype, master ? DType::f32 : DType::bf16) << tensor.name;
  }
  EXPECT_GT(masters, 0U);
  const auto config = nlohmann::json::parse(std::ifstream(run.folder / "model" / "config.json"));
  for (const char* key : {"dtype", "torch_dtype"})
    EXPECT_EQ(config.value(key, "bfloat16"), "bfloat16");
}

class Resumed : public testing::TestWithParam<const char*> {};

TEST_P(Resumed, GoesOnToTheBit) {
  const auto whole = train_tiny(data(), run_of(6, GetParam()));
  const fs::path output = testing_tools::fresh_folder("run");
  train(testing_tools::tiny_request(data(), run_of(3, GetParam()), output));
  TrainRequest request = testing_tools::tiny_request(data(), run_of(6, GetParam()), output);
  request.resume = true;
  train(request);
  const Metrics a = read_metrics(whole.folder / "metrics.jsonl"),
                b = read_metrics(output / "metrics.jsonl");
  ASSERT_EQ(a.steps.size(), 6U);
  ASSERT_EQ(b.steps.size(), 6U);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(a.steps[i].loss, b.steps[i].loss) << i;
    EXPECT_EQ(a.steps[i].gradient_norm, b.steps[i].gradient_norm) << i;
    EXPECT_EQ(a.steps[i].loss_scale, b.steps[i].loss_scale) << i;
  }
  for (const char* file : {"weights.safetensors", "moments.safetensors"})
    EXPECT_EQ(read_text_file(whole.folder / "checkpoints" / "step-00000006" / file),
              read_text_file(output / "checkpoints" / "step-00000006" / file));
}

INSTANTIATE_TEST_SUITE_P(Precisions, Resumed, testing::Values("bf16", "pure_bf16", "fp16"));

TEST(Precision, Fp16FollowsFp32) {
  const auto wide = train_tiny(data(), run_of(6, "fp32")),
             narrow = train_tiny(data(), run_of(6, "fp16"));
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(double(narrow.summary["losses"][i]), double(wide.summary["losses"][i]), 0.01) << i;
  for (const StepLine& line : read_metrics(narrow.folder / "metrics.jsonl").steps)
    EXPECT_TRUE(line.loss_scale.has_value());
  for (const StepLine& line : read_metrics(wide.folder / "metrics.jsonl").steps)
    EXPECT_FALSE(line.loss_scale.has_value());
}

TEST(Precision, Fp16SurvivesAPlantedOverflow) {
  const fs::path output = testing_tools::fresh_folder("run");
  train(testing_tools::tiny_request(data(), run_of(3, "fp16"), output));
  const fs::path state = output / "checkpoints" / "step-00000003" / "state.json";
  auto json = nlohmann::ordered_json::parse(std::ifstream(state));
  constexpr double planted = 0x1p40;  // no gradient times this is finite in fp16
  json["loss_scale"] = planted;
  write_text_file(state, json.dump());
  TrainRequest request = testing_tools::tiny_request(data(), run_of(45, "fp16"), output);
  request.resume = true;
  train(request);

  const Metrics metrics = read_metrics(output / "metrics.jsonl");
  size_t overflows = 0;
  for (size_t i = 3; i < metrics.steps.size() && metrics.steps[i].skipped; ++i, ++overflows)
    EXPECT_EQ(metrics.steps[i].loss_scale, std::ldexp(planted, -static_cast<int>(overflows)));
  EXPECT_GE(overflows, 12U) << "more in a row than would end a run without a scale";
  ASSERT_EQ(metrics.steps.size(), 45U);
  for (size_t i = 3 + overflows; i < 45; ++i) {
    EXPECT_FALSE(metrics.steps[i].skipped);
    EXPECT_TRUE(std::isfinite(metrics.steps[i].gradient_norm));
  }
  EXPECT_LT(metrics.steps.back().loss, metrics.steps.front().loss);
}

TEST(Precision, AFixedLossScaleStays) {
  auto settings = run_of(3, "{weights: fp16, loss_scale: 128}");
  for (const StepLine& line :
       read_metrics(train_tiny(data(), settings).folder / "metrics.jsonl").steps)
    EXPECT_EQ(line.loss_scale, 128.0);
}

TEST(Precision, WeightsOfAnotherFormatStartARun) {
  const auto first = train_tiny(data(), run_of(3, "fp32"));
  auto settings = run_of(1, "bf16");
  settings.push_back("train.init_from=" +
                     (first.folder / "checkpoints" / "step-00000003").string());
  const auto second = train_tiny(data(), settings);
  const auto after = train_tiny(data(), run_of(4, "fp32"));
  EXPECT_NEAR(double(second.summary["losses"][0]), double(after.summary["losses"][0]), 0.5);
}

TEST(LossScale, GrowsAfterTwoThousandStepsAndHalvesAtAnOverflow) {
  PrecisionRecipe precision;
  precision.weights = precision.compute = "fp16";
  LossScale scale(precision);
  EXPECT_EQ(scale.value(), 65536.0);
  for (int i = 0; i < 1999; ++i) EXPECT_FALSE(scale.after_step(false));
  EXPECT_EQ(scale.value(), 65536.0);
  scale.after_step(false);
  EXPECT_EQ(scale.value(), 131072.0);
  EXPECT_TRUE(scale.after_step(true));
  EXPECT_EQ(scale.value(), 65536.0);
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(scale.after_step(true));
  EXPECT_EQ(scale.value(), 1.0);
  EXPECT_FALSE(scale.after_step(true)) << "nothing is left to halve";
  EXPECT_EQ(LossScale(PrecisionRecipe()).value(), 1.0);
}

}  // namespace
}  // namespace burnish
