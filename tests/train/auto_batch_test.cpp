// train.micro_batch_rows: auto, and what happens when memory runs out.
#include "train/auto_batch.h"

#include <ATen/ops/empty.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

#include "base/error.h"
#include "base/file.h"
#include "data/row_stream.h"
#include "engine/out_of_memory.h"
#include "engine/walk.h"
#include "measure/metrics_file.h"
#include "train/counted_memory_helper.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_tools::case_folder;
using testing_tools::CountedMemory;
using testing_tools::train_tiny;

const PassMemory kPass{.bytes_per_token = 1000, .fixed_bytes = 200'000};

TEST(AutoBatch, TakesWhatFitsUpTo1024Tokens) {
  EXPECT_EQ(auto_batch(kPass, 1e9, 512).shared_tokens, 1024);
  EXPECT_EQ(auto_batch(kPass, 1e6, 512).shared_tokens, 600);  // (0.8 * 1e6 - 2e5) / 1000
  EXPECT_EQ(auto_batch(kPass, 1e5, 512).shared_tokens, 1);
  EXPECT_EQ(auto_batch(kPass, 0, 512).shared_tokens, 1024);  // unknown
}

TEST(AutoBatch, SaysWhenNotEvenARowFits) {
  EXPECT_EQ(auto_batch(kPass, 1e6, 600).warning, "");
  EXPECT_THAT(auto_batch(kPass, 1e6, 601).warning,
              testing::AllOf(HasSubstr("601 tokens"), HasSubstr("memory.recompute: unit")));
  EXPECT_EQ(auto_batch(kPass, 0, 601).warning, "");
}

std::exception_ptr failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

bool runs_out_of_memory(const std::function<void()>& action) {
  try {
    std::rethrow_exception(failure_of(action));
  } catch (const std::exception& failure) {
    return is_out_of_memory(failure);
  }
}

TEST(OutOfMemory, IsToldFromOtherFailures) {
  EXPECT_TRUE(runs_out_of_memory([] { at::empty({int64_t{1} << 58}, at::kByte); }));
  EXPECT_TRUE(runs_out_of_memory([] { throw std::bad_alloc(); }));
  EXPECT_FALSE(runs_out_of_memory([] { at::empty({2, 3}).view({5}); }));
  EXPECT_FALSE(runs_out_of_memory([] { throw Error(ErrorCode::data, "no"); }));
}

Batch batch_of(int64_t tokens) {
  Row row;
  std::vector<int32_t> ids(static_cast<size_t>(tokens), 5);
  std::vector<uint8_t> target(ids.size(), 1);
  target[0] = 0;
  append_segment(row, ids, target);
  return make_step({row}, {}).micro_batches.front();
}

double measured_bytes(const Model& model, int64_t tokens, Recompute recompute) {
  const Batch batch = batch_of(tokens);
  CountedMemory memory;
  const size_t before = memory.alive();
  forward_backward(model, batch, 1.0 / static_cast<double>(tokens), recompute);
  return static_cast<double>(memory.take_peak() - before);
}

// From one number of tokens to another: without what does not depend on them. The logits of the
// head, which one chunk holds here, may stand beside the rest or not.
TEST(PassMemory, IsWhatLibtorchAllocates) {
  ModelOptions options;
  options.trained = [](const ParameterDeclaration&) { return true; };
  const auto model = load_model(resolve_model(testing_tools::tiny_llama().string()), options);
  const double logits = 4 * static_cast<double>(model->declaration.config.vocab_size);
  for (const Recompute recompute : {Recompute::none, Recompute::unit}) {
    const PassOptions pass{.recompute = recompute == Recompute::unit};
    const double per_token = pass_memory(model->declaration, pass).bytes_per_token;
    const double measured =
        (measured_bytes(*model, 120, recompute) - measured_bytes(*model, 40, recompute)) / 80;
    EXPECT_GT(measured, 0.8 * per_token);
    EXPECT_LT(measured, 1.1 * (per_token + logits));
  }
}

fs::path data() {
  return case_folder("F09") / "data.jsonl";
}

std::vector<std::string> settings(std::vector<std::string> more) {
  more.insert(more.begin(), {"optimizer.learning_rate=0.01", "train.end={steps: 3}",
                             "checkpoint.every_steps=1", "checkpoint.keep=9"});
  return more;
}

const std::vector<std::string> kSmallest{"train.micro_batch_rows=1", "memory.recompute=unit"};

/// What the feed-forward part of a pass over the whole first step allocates at once.
size_t bytes_of_first_step(const std::vector<std::string>& more = {}) {
  const auto tokens = train_tiny(data(), settings(more)).summary["tokens"].front().get<size_t>();
  const auto width = load_config(resolve_model(testing_tools::tiny_llama().string()));
  return tokens * static_cast<size_t>(width.intermediate_size) * sizeof(float);
}

std::string steps_of(const fs::path& run) {
  std::string text;
  for (const StepLine& line : read_metrics(run / "metrics.jsonl").steps) {
    text += std::to_string(line.step) + " " + std::to_string(line.loss) + " " +
            std::to_string(line.gradient_norm);
    for (const int64_t row : line.row_ids) text += " " + std::to_string(row);
    text += "\n";
  }
  return text;
}

TEST(AutoBatch, StepsDownOnceWhenMemoryRunsOut) {
  const size_t refused_bytes = bytes_of_first_step();
  const auto expected = train_tiny(data(), settings(kSmallest));
  fs::path run;
  {
    const CountedMemory memory(refused_bytes);
    run = train_tiny(data(), settings({})).folder;
  }
  EXPECT_EQ(steps_of(run), steps_of(expected.folder));
  EXPECT_THAT(read_text_file(run / "log.txt"), HasSubstr("step 1: out of memory; from here on"));

  // what goes on elsewhere, with memory enough, goes on alike
  fs::remove_all(run / "checkpoints" / "step-00000003");
  fs::remove_all(run / "checkpoints" / "step-00000002");
  fs::remove_all(run / "model");
  TrainRequest request = testing_tools::tiny_request(data(), settings({}), run);
  request.resume = true;
  train(request);
  EXPECT_EQ(steps_of(run), steps_of(expected.folder));
}

TEST(AutoBatch, GivesUpWhereOneRowIsTooMuch) {
  const std::vector<std::string> one_row{"train.global_batch_rows=1"};
  const CountedMemory memory(bytes_of_first_step(one_row));
  try {
    train_tiny(data(), settings(one_row));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    EXPECT_THAT(error.what(), HasSubstr("data.sequence_length"));
  }
}

TEST(AutoBatch, WhatTheRecipeSetsIsKeptAndRefusedInstead) {
  const size_t refused_bytes = bytes_of_first_step();
  const CountedMemory memory(refused_bytes);
  try {
    train_tiny(data(), settings({"train.micro_batch_rows=4"}));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    EXPECT_EQ(error.where(), "step 1");
    EXPECT_THAT(error.what(), HasSubstr("train.micro_batch_rows"));
  }
}

}  // namespace
}  // namespace burnish
