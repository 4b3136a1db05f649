// Failures seen in public, held by their right values (tests/data/cases): one process, fp32.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "engine/walk.h"
#include "format/safetensors.h"
#include "measure/metrics_file.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing_tools::case_folder;
using testing_tools::expected_of;
using testing_tools::train_tiny;

constexpr double kTolerance = 1e-4;

double loss_of_step(const TrainSummary& summary, size_t step) {
  return summary["losses"][step];
}

std::vector<float> exported(const fs::path& run, const std::string& name) {
  const SafetensorsFile file(run / "model" / "model.safetensors");
  const StoredTensor& tensor = *file.find(name);
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

// E01: loss and gradient norm do not depend on how a step is cut into micro-batches.
class Accumulation : public testing::TestWithParam<int> {};

TEST_P(Accumulation, LossNormAndUpdateAreThoseOfTheWholeStep) {
  const auto expected = expected_of("E01");
  const auto run = train_tiny(case_folder("E01") / "data.jsonl",
                              {"train.micro_batch_rows=" + std::to_string(GetParam()),
                               "optimizer.learning_rate=0.01", "train.end={steps: 2}"});
  EXPECT_NEAR(loss_of_step(run.summary, 0), expected["loss_token_mean"], kTolerance);
  EXPECT_EQ(run.summary["targets"][0], expected["targets"]);
  EXPECT_NEAR(loss_of_step(run.summary, 1), expected["loss_after_one_adamw_step"]["value"],
              kTolerance);
  const Metrics metrics = read_metrics(run.folder / "metrics.jsonl");
  EXPECT_NEAR(metrics.steps[0].gradient_norm, expected["grad_norm_before_clipping"], kTolerance);
}

INSTANTIATE_TEST_SUITE_P(E01, Accumulation, testing::Values(1, 2, 4));

// I01: norms do not decay, matrices and embeddings do.
TEST(Cases, I01WeightDecayGroups) {
  const auto expected = expected_of("I01");
  const std::vector<std::string> settings{"optimizer.learning_rate=0.01",
                                          "optimizer.weight_decay=0.5"};
  auto longer = settings;
  longer.push_back("train.end={steps: 2}");
  const auto run = train_tiny(case_folder("I01") / "data.jsonl", longer);
  EXPECT_NEAR(loss_of_step(run.summary, 1), expected["loss_after_step"], kTolerance);
  const auto once = train_tiny(case_folder("I01") / "data.jsonl", settings);
  const auto norm = exported(once.folder, "model.norm.weight");
  const auto& values = expected["model.norm.weight_after_step"];
  ASSERT_EQ(norm.size(), values.size());
  for (size_t i = 0; i < norm.size(); ++i)
    EXPECT_NEAR(norm[i], values[i].get<double>(), kTolerance);
}

// J01: the logged loss is the token mean of the step; tokens of the steps.
TEST(Cases, J01LoggedLoss) {
  const auto expected = expected_of("J01");
  for (const std::string micro : {"1", "4"}) {
    const auto run = train_tiny(
        case_folder("J01") / "data.jsonl",
        {"optimizer.learning_rate=0", "train.end={steps: 2}", "train.micro_batch_rows=" + micro});
    for (size_t step = 0; step < 2; ++step) {
      EXPECT_NEAR(loss_of_step(run.summary, step), expected["loss_per_step"][step], kTolerance);
      EXPECT_EQ(run.summary["targets"][step], expected["targets_per_step"][step]);
    }
  }
}

// D01: packed documents do not see each other; the loss is that of each alone.
TEST(Cases, D01CrossContamination) {
  const auto expected = expected_of("D01");
  double sum = 0;
  int64_t targets = 0;
  for (const auto& document : expected["docs"]) {
    sum += document["loss_sum"].get<double>();
    targets += document["targets"].get<int64_t>();
  }
  const auto run =
      train_tiny(case_folder("D01") / "data.jsonl",
                 {"data.packing=stream", "train.global_batch_rows=1", "optimizer.learning_rate=0"});
  EXPECT_EQ(run.summary["targets"][0], targets);
  EXPECT_NEAR(loss_of_step(run.summary, 0), sum / static_cast<double>(targets), kTolerance);
}

// D02: plain text documents; the first token of each is nobody's target.
TEST(Cases, D02BoundaryLabel) {
  const auto expected = expected_of("D02");
  const fs::path model = testing_tools::fresh_folder("tiny_llama_endoftext");
  for (const auto& entry : fs::directory_iterator(testing_tools::tiny_llama()))
    fs::copy_file(entry.path(), model / entry.path().filename());
  auto config = nlohmann::ordered_json::parse(std::ifstream(model / "tokenizer_config.json"));
  config["eos_token"] = "<|endoftext|>";
  std::ofstream(model / "tokenizer_config.json") << config;
  const auto run = train_tiny(
      case_folder("D02") / "data.jsonl",
      {"model.source=" + model.string(), "data.packing=stream", "data.sequence_length=64",
       "train.global_batch_rows=1", "optimizer.learning_rate=0"});
  EXPECT_EQ(run.summary["targets"][0], expected["targets"]);
  EXPECT_NEAR(loss_of_step(run.summary, 0), expected["loss_token_mean"], kTolerance);
}

// C01: the stop token is trained on although it is the padding token too.
TEST(Cases, C01EosIsPad) {
  const auto expected = expected_of("C01");
  const fs::path model = testing_tools::fresh_folder("tiny_llama_pad");
  for (const auto& entry : fs::directory_iterator(testing_tools::tiny_llama()))
    fs::copy_file(entry.path(), model / entry.path().filename());
  auto config = nlohmann::ordered_json::parse(std::ifstream(model / "tokenizer_config.json"));
  config["pad_token"] = "<|im_end|>";
  std::ofstream(model / "tokenizer_config.json") << config;
  const auto run = train_tiny(
      case_folder("C01") / "data.jsonl",
      {"model.source=" + model.string(), "train.global_batch_rows=2", "optimizer.learning_rate=0"});
  EXPECT_EQ(run.summary["targets"][0], expected["targets"]);
  EXPECT_NEAR(loss_of_step(run.summary, 0), expected["loss_token_mean"], kTolerance);
}

// C02: a row that keeps no target is dropped and counted; nothing left is an error.
TEST(Cases, C02TruncatedNoTarget) {
  const auto expected = expected_of("C02");
  for (const std::string micro : {"1", "3"}) {
    const auto run = train_tiny(case_folder("C02") / "data.jsonl",
                                {"data.sequence_length=64", "train.global_batch_rows=3",
                                 "optimizer.learning_rate=0", "train.micro_batch_rows=" + micro});
    EXPECT_NEAR(loss_of_step(run.summary, 0), expected["loss_token_mean"], kTolerance);
    EXPECT_EQ(run.summary["data"]["samples_dropped_without_target"], expected["dropped_rows"]);
  }
  try {
    train_tiny(case_folder("C02") / "only_bad.jsonl", {"data.sequence_length=64"});
    FAIL() << "nothing to train on was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
  }
}

// D05: rows without an answer are dropped; an empty answer trains its end-of-turn token.
TEST(Cases, D05EmptyAndAllMasked) {
  const auto expected = expected_of("D05");
  for (const std::string packing : {"none", "stream"}) {
    const auto run = train_tiny(
        case_folder("D05") / "data.jsonl",
        {"data.packing=" + packing, "data.sequence_length=32", "train.global_batch_rows=8",
         "train.micro_batch_rows=1", "optimizer.learning_rate=0", "data.skip_bad_lines=true"});
    if (packing == "none") {
      EXPECT_EQ(run.summary["targets"][0], expected["targets_with_row3"]);
      EXPECT_NEAR(loss_of_step(run.summary, 0), expected["loss_token_mean_with_row3"], kTolerance);
    }
    EXPECT_TRUE(std::isfinite(loss_of_step(run.summary, 0)));
  }
}

// F09: without shuffling the rows, epochs and rates of the table; the short last batch is a step.
TEST(Cases, F09RowsAndRates) {
  const auto expected = expected_of("F09");
  const auto run = train_tiny(case_folder("F09") / "data.jsonl",
                              {"train.end={epochs: 2}", "optimizer.learning_rate=0.001",
                               "optimizer.schedule={name: cosine, warmup: 2, first_step: zero}"});
  const Metrics metrics = read_metrics(run.folder / "metrics.jsonl");
  ASSERT_EQ(metrics.steps.size(), expected["steps"].size());
  const int64_t rows_per_epoch = 19;
  for (size_t i = 0; i < metrics.steps.size(); ++i) {
    const auto& want = expected["steps"][i];
    std::vector<int64_t> rows;
    for (int64_t row : metrics.steps[i].row_ids)
      rows.push_back(row - want["epoch"].get<int64_t>() * rows_per_epoch);
    EXPECT_EQ(rows, want["rows"].get<std::vector<int64_t>>()) << "step " << i + 1;
    EXPECT_NEAR(metrics.steps[i].learning_rate, 0.001 * want["lr_factor"].get<double>(), 1e-12);
  }
}

double loss_of_folder(const fs::path& folder, const nlohmann::json& expected) {
  const auto model = load_model(resolve_model(folder.string()), {});
  const auto ids = expected["input_ids"].get<std::vector<int32_t>>();
  const auto labels = expected["labels"].get<std::vector<int32_t>>();
  Row row;
  std::vector<uint8_t> target;
  for (int32_t label : labels) target.push_back(label != kIgnoreLabel);
  append_segment(row, ids, target);
  Batch batch{row.ids, row.labels, row.segments, {}, row.num_targets(), {}};
  return forward_loss(*model, batch, 1.0 / static_cast<double>(batch.num_targets)).loss;
}

// F01, F02, F05, F10: checkpoints give the loss that is theirs.
TEST(Cases, F01TiedEmbeddings) {
  EXPECT_NEAR(loss_of_folder(case_folder("F01"), expected_of("F01")),
              expected_of("F01")["loss"].get<double>(), kTolerance);
}

TEST(Cases, F02TiedFlagButOtherData) {
  EXPECT_NEAR(loss_of_folder(case_folder("F02"), expected_of("F02")),
              expected_of("F02")["keep_both"]["loss"].get<double>(), kTolerance);
}

TEST(Cases, F05Bf16AndMixed) {
  EXPECT_NEAR(loss_of_folder(case_folder("F05") / "bf16", expected_of("F05")),
              expected_of("F05")["loss_float32_compute"].get<double>(), kTolerance);
}

TEST(Cases, F10ConfigOfBothGenerations) {
  const auto expected = expected_of("F10");
  EXPECT_NEAR(loss_of_folder(case_folder("F10") / "v4", expected), expected["loss"].get<double>(),
              kTolerance);
  EXPECT_NEAR(loss_of_folder(case_folder("F10") / "v5", expected), expected["loss"].get<double>(),
              kTolerance);
  EXPECT_THROW(load_model(resolve_model((case_folder("F10") / "unknown").string()), {}), Error);
}

}  // namespace
}  // namespace burnish
