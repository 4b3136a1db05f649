// What is written is what was meant: tied weights once, dtypes kept, bytes equal without a step.
#include "train/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/walk.h"
#include "format/safetensors.h"
#include "train/optimizer.h"
#include "train/tiny_run_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing_tools::case_folder;
using testing_tools::expected_of;

std::unique_ptr<Model> load_trained(const fs::path& folder) {
  ModelOptions options;
  options.trained = [](const ParameterDeclaration&) { return true; };
  return load_model(resolve_model(folder.string()), options);
}

Batch batch_of(const nlohmann::json& expected) {
  std::vector<uint8_t> target;
  for (int32_t label : expected["labels"].get<std::vector<int32_t>>())
    target.push_back(label != kIgnoreLabel);
  Row row;
  append_segment(row, expected["input_ids"].get<std::vector<int32_t>>(), target);
  return {row.ids, row.labels, row.segments, {}, row.num_targets()};
}

double loss_of(const Model& model, const Batch& batch) {
  return forward_loss(model, batch, 1.0 / static_cast<double>(batch.num_targets)).loss;
}

fs::path export_of(const Model& model, const fs::path& source) {
  const fs::path folder = testing_tools::fresh_folder("export") / "model";
  const TextFiles text = load_text(resolve_model(testing_tools::tiny_llama().string()));
  export_model(folder, model, text, resolve_model(source.string()), ModelCard{});
  return folder;
}

TEST(Export, F01TiedMatrixIsSteppedAndWrittenOnce) {
  const auto expected = expected_of("F01");
  const auto model = load_trained(case_folder("F01"));
  const Batch batch = batch_of(expected);
  forward_backward(*model, batch, 1.0 / static_cast<double>(batch.num_targets), Recompute::none);
  OptimizerRecipe recipe;
  recipe.learning_rate = 0.01;
  recipe.beta2 = 0.999;
  recipe.clip_norm.reset();
  recipe.schedule.name = "constant";
  Optimizer optimizer(*model->parameters, recipe);
  const double norm = optimizer.gradient_norm();
  EXPECT_NEAR(norm, expected["grad_norm"], 1e-4);
  optimizer.update(0, 1, norm);
  EXPECT_NEAR(loss_of(*model, batch), expected["loss_after_step"], 1e-4);

  const fs::path folder = export_of(*model, case_folder("F01"));
  const auto again = load_trained(folder);
  EXPECT_EQ(loss_of(*again, batch), loss_of(*model, batch));
  const SafetensorsFile file(folder / "model.safetensors");
  EXPECT_NE(file.find("model.embed_tokens.weight"), nullptr);
  EXPECT_EQ(file.find("lm_head.weight"), nullptr);
}

TEST(Export, F02UntiedDataIsSavedAsUntied) {
  const auto expected = expected_of("F02");
  const auto model = load_trained(case_folder("F02"));
  const fs::path folder = export_of(*model, case_folder("F02"));
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(folder / "config.json"))["tie_word_embeddings"],
            false);
  EXPECT_EQ(loss_of(*load_trained(folder), batch_of(expected)),
            loss_of(*model, batch_of(expected)));
}

TEST(Export, F05WithoutAStepEveryTensorKeepsItsBytes) {
  for (const std::string kind : {"bf16", "mixed"}) {
    const fs::path source = case_folder("F05") / kind;
    const fs::path folder = export_of(*load_trained(source), source);
    const SafetensorsFile before(source / "model.safetensors"), after(folder / "model.safetensors");
    ASSERT_EQ(before.tensors().size(), after.tensors().size());
    for (const StoredTensor& tensor : before.tensors()) {
      const StoredTensor* written = after.find(tensor.name);
      ASSERT_NE(written, nullptr) << tensor.name;
      EXPECT_EQ(written->dtype, tensor.dtype) << tensor.name;
      EXPECT_TRUE(std::ranges::equal(written->bytes, tensor.bytes)) << tensor.name;
    }
  }
}

}  // namespace
}  // namespace burnish
