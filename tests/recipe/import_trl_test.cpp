// TRL's configurations as recipes: values, defaults, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recipe/import_helper.h"

namespace burnish {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_tools::error_of;
using testing_tools::import_example;
using testing_tools::import_text;
using testing_tools::outcome_of;
using testing_tools::recipe_of;
using testing_tools::refusal_of;

const std::string kSmall =
    "model_name_or_path: m\ndataset_name: a.jsonl\nbf16: false\nuse_peft: false\n";

Recipe small(const std::string& more) {
  return recipe_of(import_text(kSmall + more));
}
std::string refused(const std::string& more, const std::string& key) {
  return refusal_of(import_text(kSmall + more), key);
}

TEST(ImportTrl, AConfigurationBecomesARecipe) {
  const ImportedRecipe imported = import_example("trl_sft.yaml");
  EXPECT_EQ(imported.format, "TRL");
  const Recipe recipe = recipe_of(imported);
  EXPECT_EQ(recipe.model.source, "SmolLM2-135M-Instruct");
  EXPECT_EQ(recipe.data.train.at(0).source, "chat.jsonl");
  EXPECT_EQ(recipe.data.mask, "assistant");
  EXPECT_EQ(recipe.data.content_tokens, "parsed");
  EXPECT_EQ(recipe.data.sequence_length, 2048);
  EXPECT_EQ(recipe.data.packing, "stream");
  EXPECT_EQ(recipe.data.overlong, "split");
  EXPECT_EQ(recipe.data.shuffle_seed, 7);
  EXPECT_EQ(recipe.train.seed, 7);
  EXPECT_EQ(recipe.train.end.epochs, 2.0);
  EXPECT_EQ(recipe.train.end.steps, std::nullopt);
  EXPECT_EQ(recipe.train.global_batch_rows, 32);
  EXPECT_EQ(recipe.train.micro_batch_rows, 4);
  EXPECT_EQ(recipe.optimizer.learning_rate, 2e-4);
  EXPECT_EQ(recipe.optimizer.weight_decay, 0.01);
  EXPECT_EQ(recipe.optimizer.clip_norm, 0.5);
  EXPECT_EQ(recipe.optimizer.schedule.name, "cosine");
  EXPECT_DOUBLE_EQ(recipe.optimizer.schedule.min_learning_rate, 2e-5);
  EXPECT_EQ(recipe.optimizer.schedule.warmup_fraction, 0.03);
  EXPECT_EQ(recipe.optimizer.schedule.first_step, "zero");
  EXPECT_EQ(recipe.memory.recompute, "unit");
  EXPECT_EQ(recipe.checkpoint.every_steps, 200);
  EXPECT_EQ(recipe.log.every_steps, 5);
  EXPECT_EQ(recipe.output, "runs/trl");
  EXPECT_EQ(refusal_of(imported, "use_liger_kernel"),
            "no effect: the fused loss and kernels are always used");
  EXPECT_EQ(outcome_of(imported, "per_device_train_batch_size").place, "trl_sft.yaml:14:1");
}

TEST(ImportTrl, DefaultsAreThoseOfTrl) {
  const Recipe recipe = small("");
  EXPECT_EQ(recipe.optimizer.learning_rate, 2e-5);
  EXPECT_EQ(recipe.optimizer.beta1, 0.9);
  EXPECT_EQ(recipe.optimizer.beta2, 0.999);
  EXPECT_EQ(recipe.optimizer.clip_norm, 1.0);
  EXPECT_EQ(recipe.optimizer.schedule.name, "linear");
  EXPECT_EQ(recipe.optimizer.schedule.warmup_steps, std::nullopt);
  EXPECT_EQ(recipe.train.end.epochs, 3.0);
  EXPECT_EQ(recipe.train.global_batch_rows, 8);
  EXPECT_EQ(recipe.train.seed, 42);
  EXPECT_EQ(recipe.data.shuffle_seed, 42);
  EXPECT_EQ(recipe.data.sequence_length, 1024);
  EXPECT_EQ(recipe.data.packing, "none");
  EXPECT_EQ(recipe.data.overlong, "truncate");
  EXPECT_EQ(recipe.data.mask, "all");
  EXPECT_EQ(recipe.memory.recompute, "unit");
  EXPECT_EQ(recipe.checkpoint.every_steps, 500);
  EXPECT_EQ(recipe.log.every_steps, 10);
  EXPECT_EQ(recipe.output, "trainer_output");
  const ImportedKey rate = outcome_of(import_text(kSmall), "learning_rate");
  EXPECT_FALSE(rate.given);
  EXPECT_EQ(rate.place, "TRL's default");
  EXPECT_EQ(rate.became, "optimizer.learning_rate: 2.0e-05");
}

TEST(ImportTrl, JsonIsReadToo) {
  const Recipe recipe = recipe_of(import_example("trl_sft.json"));
  EXPECT_EQ(recipe.train.end.steps, 40);
  EXPECT_EQ(recipe.train.end.epochs, std::nullopt);
  EXPECT_EQ(recipe.optimizer.schedule.name, "constant");
  EXPECT_EQ(recipe.optimizer.schedule.warmup_steps, 4);
  EXPECT_EQ(recipe.data.mask, "completion");
  EXPECT_EQ(recipe.memory.recompute, "none");
}

TEST(ImportTrl, ProcessesMultiplyTheBatch) {
  ImportOptions options;
  options.processes = 4;
  EXPECT_EQ(recipe_of(import_text(kSmall, options)).train.global_batch_rows, 32);
  EXPECT_EQ(recipe_of(import_text(kSmall, options)).train.micro_batch_rows, 8);
}

TEST(ImportTrl, Schedules) {
  EXPECT_EQ(small("lr_scheduler_type: constant\nwarmup_steps: 5\n").optimizer.schedule.warmup_steps,
            std::nullopt);  // transformers' `constant` ignores it
  EXPECT_EQ(small("warmup_steps: 5\nwarmup_ratio: 0.1\n").optimizer.schedule.warmup_steps, 5);
  EXPECT_EQ(small("warmup_steps: 0.1\n").optimizer.schedule.warmup_fraction, 0.1);
  EXPECT_EQ(
      small("lr_scheduler_type: cosine_with_min_lr\nlr_scheduler_kwargs: '{\"min_lr\": 1e-6}'\n")
          .optimizer.schedule.min_learning_rate,
      1e-6);
  EXPECT_EQ(refused("lr_scheduler_type: cosine_with_min_lr\n", "lr_scheduler_type"),
            "it needs min_lr or min_lr_rate in lr_scheduler_kwargs; write lr_scheduler_kwargs: "
            "{min_lr: ...}");
  EXPECT_EQ(refused("lr_scheduler_type: cosine\nlr_scheduler_kwargs: {num_cycles: 2}\n",
                    "lr_scheduler_kwargs"),
            "the schedule cosine has no num_cycles here; leave it out; min_lr and min_lr_rate of "
            "cosine_with_min_lr are known");
}

TEST(ImportTrl, RowsAndTargets) {
  EXPECT_THAT(refused("packing: true\n", "packing"),
              HasSubstr("packing_strategy: wrapped, or --set data.packing=stream"));
  ImportOptions stream;
  stream.overrides = {{"data.packing", "stream"}};
  const Recipe settled = recipe_of(import_text(kSmall + "packing: true\n", stream));
  EXPECT_EQ(settled.data.packing, "stream");
  EXPECT_THAT(
      refused("assistant_only_loss: true\ncompletion_only_loss: true\n", "assistant_only_loss"),
      HasSubstr("write one of them"));
  EXPECT_THAT(refused("max_length: null\n", "max_length"), HasSubstr("rows without a limit"));
  EXPECT_EQ(small("max_seq_length: 256\n").data.sequence_length, 256);
  EXPECT_EQ(small("max_grad_norm: 0\n").optimizer.clip_norm, std::nullopt);
  EXPECT_EQ(small("train_sampling_strategy: sequential\n").data.shuffle_seed, std::nullopt);
  EXPECT_THAT(refused("truncation_mode: keep_end\n", "truncation_mode"), HasSubstr("keep_start"));
}

TEST(ImportTrl, PrecisionIsWhatTheSchemaCanExpress) {
  const std::string base = "model_name_or_path: m\ndataset_name: a.jsonl\nuse_peft: false\n";
  const ImportedRecipe absent = import_text(base);  // TRL's default is bf16
  const ImportedKey bf16 = outcome_of(absent, "bf16");
  if (bf16.outcome == ImportedKey::Outcome::refused) {
    EXPECT_TRUE(bf16.changes_training);
    EXPECT_THAT(bf16.reason, HasSubstr("is not there yet"));
    EXPECT_THAT(bf16.instead, HasSubstr("bf16: false"));
  } else {
    EXPECT_EQ(recipe_of(absent).precision.compute, "bf16");
    EXPECT_EQ(recipe_of(absent).precision.master, "fp32");
  }
  EXPECT_EQ(recipe_of(import_text(base + "bf16: false\n")).precision.compute, "fp32");
  EXPECT_THAT(refusal_of(import_text(base + "bf16: false\ndtype: auto\n"), "dtype"),
              HasSubstr("write float32, bfloat16 or float16"));
}

TEST(ImportTrl, RefusedKeysSayWhatToWrite) {
  const ImportedRecipe imported = import_example("trl_refused.yaml");
  EXPECT_EQ(imported.yaml, "");
  EXPECT_THAT(
      refusal_of(imported, "dataset_name"),
      StartsWith("trl-lib/Capybara is a data set of the hub, whose files are named one by one; "
                 "name a file of it: --set data.train=hf://datasets/trl-lib/Capybara/FILE.jsonl"));
  EXPECT_THAT(refusal_of(imported, "use_peft"), StartsWith("adapters are not there yet; write "));
  EXPECT_THAT(refusal_of(imported, "lora_r"), StartsWith("adapters are not there yet; write "));
  EXPECT_EQ(refusal_of(imported, "optim"),
            "the optimizer paged_adamw_8bit is not there; write adamw_torch");
  EXPECT_THAT(refusal_of(imported, "lr_scheduler_type"),
              StartsWith("the schedule inverse_sqrt is not there; write linear, cosine"));
  EXPECT_EQ(refusal_of(imported, "neftune_noise_alpha"),
            "noise on the embeddings is not there; leave it out");
  EXPECT_THAT(refusal_of(imported, "save_strategy"), StartsWith("aside: checkpoints are counted"));
  EXPECT_THAT(refusal_of(imported, "report_to"), StartsWith("aside: wandb gets nothing"));
}

TEST(ImportTrl, SkipRefusedLeavesThemInTheHead) {
  ImportOptions options;
  options.skip_refused = true;
  options.overrides = {{"data.train", "chat.jsonl"}};
  const ImportedRecipe imported = import_example("trl_refused.yaml", options);
  EXPECT_THAT(imported.yaml, StartsWith("# Imported from trl_refused.yaml (TRL).\n# Left out"));
  EXPECT_THAT(imported.yaml, HasSubstr("#   neftune_noise_alpha: 5 (trl_refused.yaml:6:1): noise "
                                       "on the embeddings is not there; leave it out\n"));
  const Recipe recipe = parse_recipe(imported.yaml, "x").recipe;
  EXPECT_EQ(recipe.data.train.at(0).source, "chat.jsonl");
  EXPECT_EQ(recipe.optimizer.learning_rate, 2e-4);
}

TEST(ImportTrl, FilesOfADataSetOnTheHub) {
  const std::string head = "model_name_or_path: m\nbf16: false\nuse_peft: false\n";
  const auto sources = [&](const std::string& datasets) {
    std::vector<std::string> names;
    for (const DataSource& source : recipe_of(import_text(head + datasets)).data.train)
      names.push_back(source.source);
    return names;
  };
  EXPECT_THAT(sources("datasets: [{path: org/set, data_files: [a.jsonl, deep/b.parquet]}]\n"),
              ElementsAre("hf://datasets/org/set/a.jsonl", "hf://datasets/org/set/deep/b.parquet"));
  EXPECT_THAT(sources("datasets: [{path: parquet, data_files: {train: here.parquet}}]\n"),
              ElementsAre("here.parquet"));
  EXPECT_THAT(sources("dataset_name: here.parquet\n"), ElementsAre("here.parquet"));
  for (const char* bad : {"a*.jsonl", "a.csv"})
    EXPECT_THAT(refusal_of(import_text(head + "datasets: [{path: org/set, data_files: '" +
                                       std::string(bad) + "'}]\n"),
                           "datasets"),
                HasSubstr("of the data set org/set is not a .jsonl or .parquet file"));
}

TEST(ImportTrl, WrongValuesHaveTheirPlace) {
  EXPECT_THAT(error_of(kSmall + "learning_rate: fast\n"),
              StartsWith("c.yaml:5:16: learning_rate must be a number, not fast"));
  EXPECT_THAT(error_of(kSmall + "learning_rate: -1\n"),
              StartsWith("c.yaml:5:16: optimizer.learning_rate must be a number, 0 or more"));
  EXPECT_THAT(error_of(kSmall + "packing: perhaps\n"),
              HasSubstr("c.yaml:5:10: packing must be true or false"));
  EXPECT_THAT(error_of(kSmall + "per_device_train_batch_size: 0\n"), HasSubstr("c.yaml:5:30"));
  EXPECT_THAT(
      error_of(kSmall + "leraning_rate: 1e-5\n"),
      StartsWith("c.yaml:5:1: TRL has no key `leraning_rate`. did you mean `learning_rate`?"));
}

TEST(ImportTrl, EvaluationNeedsAFile) {
  EXPECT_THAT(refused("eval_strategy: steps\n", "eval_strategy"),
              HasSubstr("--set data.evaluation.test=FILE"));
  ImportOptions options;
  options.overrides = {{"data.evaluation.test", "t.jsonl"}};
  const Recipe recipe = recipe_of(import_text(
      kSmall + "eval_strategy: steps\nlogging_steps: 25\nload_best_model_at_end: true\n", options));
  EXPECT_EQ(recipe.evaluation.every_steps, 25);  // eval_steps falls back to logging_steps
  EXPECT_FALSE(recipe.evaluation.at_start);
  EXPECT_TRUE(recipe.evaluation.keep_best);
  EXPECT_EQ(recipe.data.evaluation.at("test").source, "t.jsonl");
  EXPECT_THAT(refused("load_best_model_at_end: true\n", "load_best_model_at_end"),
              HasSubstr("nothing is evaluated"));
}

}  // namespace
}  // namespace burnish
