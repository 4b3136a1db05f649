// axolotl, LLaMA-Factory and accelerate; which format a file has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recipe/import_helper.h"

namespace burnish {
namespace {
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_tools::error_of;
using testing_tools::import_data;
using testing_tools::import_example;
using testing_tools::import_text;
using testing_tools::recipe_of;
using testing_tools::refusal_of;

TEST(ImportAxolotl, AConfigurationBecomesARecipe) {
  const ImportedRecipe imported = import_example("axolotl_full.yaml");
  EXPECT_EQ(imported.format, "axolotl");
  const Recipe recipe = recipe_of(imported);
  ASSERT_EQ(recipe.data.train.size(), 3U);
  EXPECT_EQ(recipe.data.train[0].source, "chat.jsonl");
  EXPECT_EQ(recipe.data.train[2].source, "most.jsonl");
  EXPECT_EQ(recipe.data.train[2].format, "messages");
  EXPECT_EQ(recipe.data.evaluation.at("test_1").source, "held_out.jsonl");
  EXPECT_EQ(recipe.data.mask, "assistant");
  EXPECT_FALSE(recipe.data.mask_trailing_newline);
  EXPECT_EQ(recipe.data.sequence_length, 4096);
  EXPECT_EQ(recipe.data.overlong, "drop");
  EXPECT_EQ(recipe.train.global_batch_rows, 6);
  EXPECT_EQ(recipe.train.micro_batch_rows, 3);
  EXPECT_EQ(recipe.train.end.epochs, 3.0);
  EXPECT_EQ(recipe.optimizer.learning_rate, 2e-5);
  EXPECT_DOUBLE_EQ(recipe.optimizer.schedule.min_learning_rate, 2e-6);
  EXPECT_EQ(recipe.optimizer.schedule.warmup_steps, 10);
  EXPECT_EQ(recipe.optimizer.beta2, 0.95);
  EXPECT_EQ(recipe.optimizer.weight_decay, 0.1);
  EXPECT_EQ(recipe.evaluation.every_steps, 50);
  EXPECT_TRUE(recipe.evaluation.at_start);
  EXPECT_TRUE(recipe.evaluation.keep_best);
  EXPECT_EQ(recipe.evaluation.stop_after_evaluations_without_gain, 3);
  EXPECT_EQ(recipe.checkpoint.every_steps, 100);
  EXPECT_EQ(recipe.memory.recompute, "unit");
}

TEST(ImportAxolotl, Defaults) {
  const std::string base =
      "base_model: m\ndatasets: [{path: a.jsonl, type: chat_template}]\nlearning_rate: 1e-4\n"
      "bf16: false\n";
  const Recipe recipe = recipe_of(import_text(base));
  EXPECT_EQ(recipe.data.sequence_length, 512);
  EXPECT_EQ(recipe.train.global_batch_rows, 1);
  EXPECT_EQ(recipe.train.end.epochs, 1.0);
  EXPECT_EQ(recipe.optimizer.schedule.name, "cosine");
  EXPECT_EQ(recipe.optimizer.schedule.warmup_fraction, 0.03);
  EXPECT_EQ(recipe.optimizer.beta2, 0.999);
  EXPECT_EQ(recipe.memory.recompute, "none");
  EXPECT_EQ(recipe.output, "./model-out");
  EXPECT_EQ(recipe_of(import_text(base + "max_steps: 1000\n")).optimizer.schedule.warmup_steps, 30);
  EXPECT_EQ(recipe_of(import_text(base + "max_steps: 9000\n")).optimizer.schedule.warmup_steps,
            100);
  EXPECT_EQ(recipe_of(import_text(base + "warmup_steps: 1\n")).optimizer.schedule.warmup_steps, 2);
  EXPECT_EQ(recipe_of(import_text(base + "train_on_inputs: true\n")).data.mask, "all");
}

TEST(ImportAxolotl, NeedsALearningRate) {
  EXPECT_THAT(error_of("base_model: m\ndatasets: [{path: a.jsonl, type: chat_template}]\n"),
              HasSubstr("axolotl needs the key `learning_rate`"));
}

TEST(ImportAxolotl, RefusedKeysSayWhatToWrite) {
  const ImportedRecipe imported = import_example("axolotl_refused.yaml");
  EXPECT_EQ(imported.yaml, "");
  EXPECT_THAT(refusal_of(imported, "datasets.0.type"),
              StartsWith("rows of the type alpaca are not read; write them as `messages`"));
  EXPECT_THAT(refusal_of(imported, "datasets.0.path"),
              StartsWith("tatsu-lab/alpaca is a data set of the hub"));
  EXPECT_EQ(refusal_of(imported, "datasets.1.message_property_mappings"),
            "messages have `role`, not `from`; rename the field in the file");
  EXPECT_THAT(refusal_of(imported, "datasets.1.train_on_eos"), EndsWith("; write turn"));
  EXPECT_THAT(refusal_of(imported, "adapter"), StartsWith("adapters are not there yet"));
  EXPECT_THAT(refusal_of(imported, "load_in_4bit"), StartsWith("training over a quantized model"));
  EXPECT_THAT(refusal_of(imported, "val_set_size"), HasSubstr("name a file under test_datasets"));
  EXPECT_THAT(refusal_of(imported, "optimizer"), HasSubstr("adamw_bnb_8bit"));
  EXPECT_THAT(refusal_of(imported, "wandb_project"), StartsWith("aside: "));
  EXPECT_THAT(refusal_of(imported, "sample_packing"), HasSubstr("--set data.packing=stream"));
  EXPECT_EQ(refusal_of(imported, "lora_r"), "no effect: it goes with adapter");
}

TEST(ImportAxolotl, AFileOfTheHubAtItsRevision) {
  const auto imported = [](const std::string& keys) {
    return import_text(
        "base_model: m\nlearning_rate: 1e-4\nbf16: false\n"
        "chat_template: chatml\ndatasets:\n"
        "  - {type: chat_template, revision: v2, " +
        keys + "}\n");
  };
  const Recipe recipe = recipe_of(imported("path: org/set, data_files: a.jsonl"));
  EXPECT_EQ(recipe.data.train.at(0).source, "hf://datasets/org/set@v2/a.jsonl");
  EXPECT_EQ(recipe.model.chat_template, "chatml");
  EXPECT_THAT(refusal_of(imported("path: a.jsonl"), "datasets.0.revision"),
              StartsWith("a local file has no revisions"));
}

TEST(ImportLlamaFactory, AConfigurationBecomesARecipe) {
  const ImportedRecipe imported = import_example("llama_factory_full.yaml");
  EXPECT_EQ(imported.format, "LLaMA-Factory");
  const Recipe recipe = recipe_of(imported);
  ASSERT_EQ(recipe.data.train.size(), 2U);
  EXPECT_THAT(recipe.data.train[0].source, EndsWith("/talks.jsonl"));
  EXPECT_THAT(recipe.data.train[1].source, EndsWith("/more_talks.jsonl"));
  EXPECT_THAT(recipe.data.evaluation.at("eval_1").source, EndsWith("/held_out.jsonl"));
  EXPECT_EQ(recipe.data.mask, "assistant");
  EXPECT_TRUE(recipe.data.mask_trailing_newline);
  EXPECT_EQ(recipe.data.sequence_length, 1024);
  EXPECT_EQ(recipe.train.global_batch_rows, 2);
  EXPECT_EQ(recipe.optimizer.schedule.name, "cosine");
  EXPECT_EQ(recipe.optimizer.schedule.warmup_fraction, 0.1);
  EXPECT_EQ(recipe.evaluation.every_steps, 500);
  EXPECT_EQ(recipe.memory.recompute, "unit");
  EXPECT_EQ(recipe.output, "saves/full");
}

TEST(ImportLlamaFactory, RefusedKeysSayWhatToWrite) {
  const ImportedRecipe imported = import_example("llama_factory_refused.yaml");
  EXPECT_THAT(refusal_of(imported, "finetuning_type"),
              StartsWith("adapters (lora) are not there yet; write full"));
  EXPECT_THAT(refusal_of(imported, "dataset"), HasSubstr("its rows have the shape alpaca"));
  EXPECT_THAT(refusal_of(imported, "template"), HasSubstr("need not be the model's own"));
  EXPECT_THAT(refusal_of(imported, "val_size"), StartsWith("no part is split off"));
  EXPECT_THAT(refusal_of(imported, "neat_packing"), HasSubstr("--set data.packing=stream"));
}

TEST(ImportLlamaFactory, DataSetsAreLookedUp) {
  const auto refused = [](const std::string& name) {
    std::string text = import_data("llama_factory_refused.yaml");
    text.replace(text.find("dataset: orders"), 15, "dataset: " + name);
    return refusal_of(import_text(text), "dataset");
  };
  EXPECT_THAT(refused("humans"), HasSubstr("its columns and tags are not `messages`"));
  EXPECT_THAT(refused("far_away"), HasSubstr("is not a local file"));
  EXPECT_THAT(refused("nobody"), HasSubstr("has no data set nobody"));
  EXPECT_THAT(
      refusal_of(import_text("model_name_or_path: m\ncutoff_len: 8\ndataset: x\n"), "dataset"),
      HasSubstr("data/dataset_info.json, which says what the data sets are, is not here"));
}

TEST(ImportAccelerate, MultipliesTheTrainersBatch) {
  const ImportedRecipe imported = import_recipe_text(
      import_data("trl_sft.yaml"), "t.yaml", import_data("accelerate_fsdp.yaml"), "a.yaml", {});
  EXPECT_EQ(imported.format, "TRL with accelerate");
  EXPECT_EQ(recipe_of(imported).train.global_batch_rows, 256);
  EXPECT_EQ(recipe_of(imported).train.micro_batch_rows, 4);
  EXPECT_EQ(refusal_of(imported, "num_processes"),
            "no effect: train.global_batch_rows holds the rows of 8 replicas");
  std::string tensor_parallel = import_data("accelerate_fsdp.yaml");
  tensor_parallel += "parallelism_config: {parallelism_config_tp_size: 4}\n";
  EXPECT_EQ(recipe_of(import_recipe_text(import_data("trl_sft.yaml"), "t.yaml", tensor_parallel,
                                         "a.yaml", {}))
                .train.global_batch_rows,
            64);
}

TEST(ImportAccelerate, ProcessesOfAReplicaDivideTheirNumber) {
  const std::string text =
      "distributed_type: FSDP\nparallelism_config: {parallelism_config_tp_size: 3}\n";
  EXPECT_THAT(error_of(text + "num_processes: 8\n"),
              HasSubstr("num_processes is not a multiple of the 3 processes of one replica"));
  EXPECT_THAT(error_of(text), HasSubstr("lacks the key `model`"));
}

TEST(ImportAccelerate, AloneLacksTheRest) {
  const std::string text = import_data("accelerate_fsdp.yaml");
  EXPECT_THAT(refusal_of(import_text(text), "num_processes"), HasSubstr("--accelerate"));
  ImportOptions options;
  options.overrides = {{"train.global_batch_rows", "16"}};
  EXPECT_THAT(error_of(text, options), HasSubstr("lacks the key"));
  options.overrides.push_back({"model.source", "m"});
  options.overrides.push_back({"data.train", "a.jsonl"});
  options.overrides.push_back({"train.end.steps", "3"});
  const Recipe recipe = recipe_of(import_text(text, options));
  EXPECT_EQ(recipe.train.global_batch_rows, 16);
  EXPECT_EQ(recipe.memory.recompute, "unit");
  EXPECT_EQ(recipe.precision.compute, "fp32");
}

TEST(ImportFormat, IsToldByTheKeys) {
  EXPECT_THAT(
      error_of("model_name_or_path: m\nlearning_rate: 1e-5\n"),
      AllOf(
          StartsWith("c.yaml:1:1: the file could be for several trainers: no key tells them apart"),
          HasSubstr("--format trl, axolotl")));
  EXPECT_THAT(
      error_of("sequence_len: 512\ncutoff_len: 512\n"),
      HasSubstr("`sequence_len` is a key of axolotl, `cutoff_len` is a key of LLaMA-Factory"));
  EXPECT_THAT(error_of("schema_version: 1\n"), HasSubstr("has no key that TRL, axolotl"));
  EXPECT_THAT(error_of(""), HasSubstr("c.yaml: the file must be a group of keys"));
  EXPECT_THAT(error_of("- 1\n"), HasSubstr("not a list"));
  EXPECT_THAT(error_of("a: {b\n"), HasSubstr("this is not YAML"));
  ImportOptions options;
  options.format = "axolotle";
  EXPECT_THAT(error_of("a: 1\n", options), HasSubstr("did you mean `axolotl`?"));
  options.format = "trl";
  EXPECT_THAT(error_of("sequence_len: 512\n", options), HasSubstr("TRL has no key `sequence_len`"));
  EXPECT_THAT(
      error_of("datasets: [{path: a.jsonl, typ: chat_template}]\nbase_model: m\n"),
      StartsWith(
          "c.yaml:1:28: axolotl has no key `datasets.0.typ`. did you mean `datasets[].type`?"));
}

}  // namespace
}  // namespace burnish
