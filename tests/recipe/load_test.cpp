// What a recipe may hold, what is refused, and with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "recipe/recipe.h"

namespace burnish {
namespace {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kSmall =
    "model: {source: m}\n"
    "data: {train: [a.jsonl]}\n"
    "train: {end: {steps: 3}}\n";

LoadedRecipe load(const std::string& yaml, const std::vector<RecipeOverride>& overrides = {}) {
  return parse_recipe(yaml, "r.yaml", overrides);
}

/// The whole message, which must be of this kind.
std::string refusal(const std::string& yaml, ErrorCode code = ErrorCode::recipe,
                    const std::vector<RecipeOverride>& overrides = {}) {
  try {
    load(yaml, overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_FALSE(error.where().empty()) << error.what();
    return error.what();
  }
  return "no error";
}

/// kSmall with one key set by --set.
std::string refusal_of(const std::string& key, const std::string& value,
                       ErrorCode code = ErrorCode::recipe) {
  return refusal(kSmall, code, {{key, value}});
}

Recipe with(const std::string& key, const std::string& value) {
  return load(kSmall, {{key, value}}).recipe;
}

TEST(RecipeDefaults, AreThoseOfTheStruct) {
  const LoadedRecipe loaded = load(kSmall);
  Recipe expected;
  expected.model.source = "m";
  expected.data.train = {DataSource{"a.jsonl"}};
  expected.train.end.steps = 3;
  EXPECT_THAT(differences(expected, loaded.recipe), IsEmpty());
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(RecipeValues, AreRead) {
  const Recipe recipe = load(R"(
schema_version: 1
model: {source: HF/folder, template: "t.jinja", trainable: ["model.layers.*", lm_head.weight]}
data:
  train:
    - {source: one.jsonl, format: text}
    - {source: two.jsonl, format: text}
  evaluation: {held_out: h.jsonl, other-1: {source: o.jsonl, format: messages}}
  mask: last
  mask_trailing_newline: true
  content_tokens: parsed
  sequence_length: 512
  overlong: split
  packing: none
  shuffle: {seed: 7}
  skip_bad_lines: true
  date: 2026-02-28
train:
  end: {steps: 10, epochs: 1.5, tokens: 1000, seconds: 60}
  global_batch_rows: 4
  micro_batch_rows: 2
  seed: 9
  init_from: old/run
  threads: 2
optimizer:
  learning_rate: 2e-5
  betas: [0.8, .99]
  epsilon: 1.0e-6
  weight_decay: 0.1
  clip_norm: null
  groups: [{pattern: "*norm*", learning_rate: 0, weight_decay: 0.5}]
  schedule: {name: linear, warmup: 5, min_learning_rate: 1e-6, first_step: zero}
memory: {recompute: unit}
evaluation: {every_steps: 5, at_start: false, prompts: [hi, "it's: 1"], prompt_tokens: 9,
  keep_best: true, stop_after_evaluations_without_gain: 2}
checkpoint: {every_steps: 3, keep: 1}
log: {every_steps: 2}
output: runs/x y
)")
                            .recipe;
  EXPECT_EQ(recipe.model.chat_template, "t.jinja");
  EXPECT_THAT(recipe.model.trainable, ElementsAre("model.layers.*", "lm_head.weight"));
  ASSERT_EQ(recipe.data.train.size(), 2U);
  EXPECT_EQ(recipe.data.train[1].format, "text");
  EXPECT_EQ(recipe.data.evaluation.at("held_out").source, "h.jsonl");
  EXPECT_EQ(recipe.data.evaluation.at("other-1").format, "messages");
  EXPECT_EQ(recipe.data.shuffle_seed, 7);
  EXPECT_EQ(recipe.data.date, "2026-02-28");
  EXPECT_EQ(recipe.train.end.epochs, 1.5);
  EXPECT_EQ(recipe.train.end.seconds, 60.0);
  EXPECT_EQ(recipe.train.micro_batch_rows, 2);
  EXPECT_EQ(recipe.optimizer.learning_rate, 2e-5);
  EXPECT_EQ(recipe.optimizer.beta1, 0.8);
  EXPECT_EQ(recipe.optimizer.beta2, 0.99);
  EXPECT_EQ(recipe.optimizer.clip_norm, std::nullopt);
  ASSERT_EQ(recipe.optimizer.groups.size(), 1U);
  EXPECT_EQ(recipe.optimizer.groups[0].learning_rate, 0.0);
  EXPECT_EQ(recipe.optimizer.schedule.warmup_steps, 5);
  EXPECT_EQ(recipe.optimizer.schedule.first_step, "zero");
  EXPECT_THAT(recipe.evaluation.prompts, ElementsAre("hi", "it's: 1"));
  EXPECT_EQ(recipe.evaluation.stop_after_evaluations_without_gain, 2);
  EXPECT_EQ(recipe.output, "runs/x y");
}

TEST(RecipeValues, ShuffleNullKeepsTheOrderOfTheFiles) {
  EXPECT_EQ(with("data.shuffle", "null").data.shuffle_seed, std::nullopt);
  EXPECT_EQ(with("data.shuffle.seed", "null").data.shuffle_seed, std::nullopt);
  EXPECT_EQ(with("data.shuffle", "{}").data.shuffle_seed, 0);
}

TEST(RecipeValues, WarmupCountsStepsOrIsAShare) {
  EXPECT_EQ(with("optimizer.schedule.warmup", "1").optimizer.schedule.warmup_steps, 1);
  EXPECT_EQ(with("optimizer.schedule.warmup", "0.03").optimizer.schedule.warmup_fraction, 0.03);
  EXPECT_EQ(with("optimizer.schedule.warmup", "0").optimizer.schedule.warmup_steps, std::nullopt);
  for (const char* wrong : {"1.0", "1.5", "-1", "-0.1", "nan", ".nan", "soon", "null", "\"3\""})
    EXPECT_THAT(refusal_of("optimizer.schedule.warmup", wrong),
                StartsWith("--set optimizer.schedule.warmup: optimizer.schedule.warmup must be a "
                           "whole number"))
        << wrong;
}

TEST(RecipeErrors, NameThePlaceTheKeyAndTheNearestRightOne) {
  EXPECT_EQ(refusal(kSmall + "optimizer:\n  learning_rat: 1\n"),
            "r.yaml:5:3: there is no key `optimizer.learning_rat`. did you mean "
            "`optimizer.learning_rate`?");
  EXPECT_THAT(refusal(kSmall + "optimiser: {}\n"),
              HasSubstr("r.yaml:4:1: there is no key `optimiser`. did you mean `optimizer`?"));
  EXPECT_THAT(refusal(kSmall + "learning_rate: 1\n"),
              HasSubstr("did you mean `optimizer.learning_rate`?"));
  EXPECT_THAT(refusal(kSmall + "optimizer: {lr: 1}\n"), HasSubstr("`optimizer.learning_rate`"));
  EXPECT_THAT(refusal(kSmall + "train2: {}\n"), HasSubstr("did you mean `train`?"));
  EXPECT_THAT(refusal(kSmall + "optimizer: {zzzzzz: 1}\n"),
              HasSubstr("the keys here are: name, learning_rate"));
  EXPECT_THAT(refusal_of("train.ends.steps", "1"),
              StartsWith("--set train.ends.steps: there is no key `train.ends`"));
}

TEST(RecipeErrors, EveryForeignNameLeadsToAKeyThatExists) {
  const std::string reference = recipe_reference();
  for (const char* name : {"lr", "max_steps", "num_train_epochs", "warmup_ratio", "adam_beta2",
                           "max_grad_norm", "output_dir", "bf16", "gradient_checkpointing",
                           "report_to", "save_total_limit", "lr_scheduler_type"}) {
    const std::string message = refusal(kSmall + name + std::string(": 1\n"));
    const size_t begin = message.find("here this is `");
    ASSERT_NE(begin, std::string::npos) << message;
    const std::string key = message.substr(begin + 13, message.rfind('`') - begin - 12);
    EXPECT_THAT(reference, HasSubstr("| " + key + " |"));
  }
}

TEST(RecipeErrors, WrongTypes) {
  EXPECT_EQ(refusal_of("train.end.steps", "2.5"),
            "--set train.end.steps: train.end.steps must be a whole number, 1 or more, not 2.5");
  EXPECT_THAT(refusal_of("train.end.steps", "1e3"), HasSubstr("not 1e3. write 1000"));
  EXPECT_THAT(refusal_of("train.end.steps", "\"3\""), HasSubstr("not \"3\""));
  EXPECT_THAT(refusal_of("train.end.steps", "99999999999999999999"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of("train.end.steps", "[1]"), HasSubstr("not a list"));
  EXPECT_THAT(refusal_of("train.end", "3"), HasSubstr("must be a group of keys, not 3"));
  EXPECT_THAT(refusal_of("optimizer", "null"), HasSubstr("must be a group of keys, not null"));
  EXPECT_THAT(refusal_of("evaluation.keep_best", "yes"), HasSubstr("must be true or false"));
  EXPECT_THAT(refusal_of("model.source", "[a]"), HasSubstr("must be a path or a name, not a list"));
  EXPECT_THAT(refusal_of("model.source", "\"\""), HasSubstr("must be a path or a name, not empty"));
  EXPECT_THAT(refusal_of("optimizer.betas", "[0.9]"), HasSubstr("must be two numbers"));
  EXPECT_THAT(refusal_of("optimizer.betas", "[0.9, 1]"), HasSubstr("optimizer.betas.1 must be"));
  EXPECT_THAT(refusal_of("data.train.0", "{format: text}"), HasSubstr("lacks the key `source`"));
  EXPECT_THAT(refusal_of("data.evaluation", "[h.jsonl]"), HasSubstr("must be names"));
  EXPECT_THAT(refusal_of("data.evaluation", "{a.b: h.jsonl}"), HasSubstr("the name `a.b`"));
}

TEST(RecipeErrors, LearningRateMustBeANumber) {
  for (const char* wrong : {"nan", ".nan", "-.inf", ".inf", "inf", "1e999", "-1e-5", "-1", "high",
                            "null", "1e-5x", "", "0x10", "1_000"})
    EXPECT_THAT(refusal_of("optimizer.learning_rate", wrong),
                HasSubstr("optimizer.learning_rate must be a number, 0 or more"))
        << wrong;
  EXPECT_EQ(with("optimizer.learning_rate", "0").optimizer.learning_rate, 0.0);
  EXPECT_EQ(with("optimizer.learning_rate", "+1e-5").optimizer.learning_rate, 1e-5);
}

TEST(RecipeErrors, OutOfRange) {
  for (const auto& [key, value] : std::vector<RecipeOverride>{{"train.end.steps", "0"},
                                                              {"train.end.epochs", "0"},
                                                              {"train.end.seconds", "-1"},
                                                              {"train.global_batch_rows", "0"},
                                                              {"train.micro_batch_rows", "0"},
                                                              {"train.threads", "-1"},
                                                              {"train.seed", "-1"},
                                                              {"data.sequence_length", "1"},
                                                              {"data.workers", "0"},
                                                              {"data.shuffle.seed", "-3"},
                                                              {"optimizer.epsilon", "0"},
                                                              {"optimizer.clip_norm", "0"},
                                                              {"optimizer.weight_decay", "-0.1"},
                                                              {"evaluation.prompt_tokens", "0"},
                                                              {"checkpoint.keep", "0"},
                                                              {"layout.tp", "0"},
                                                              {"memory.optimizer_offload", "2"},
                                                              {"schema_version", "2"},
                                                              {"data.date", "2026-02-29"},
                                                              {"data.date", "2026-2-1"},
                                                              {"data.date", "yesterday"}})
    EXPECT_THAT(refusal_of(key, value), HasSubstr(key + " must be")) << key << "=" << value;
}

TEST(RecipeErrors, WordsOutsideTheList) {
  EXPECT_THAT(refusal_of("data.mask", "asistant"),
              HasSubstr("data.mask must be one of assistant, last, all, completion, generation, "
                        "not asistant. did you mean `assistant`?"));
  EXPECT_THAT(refusal_of("optimizer.schedule.name", "cosin"), HasSubstr("`cosine`"));
  EXPECT_THAT(refusal_of("data.packing", "true"), HasSubstr("must be one of stream, none"));
}

TEST(RecipeErrors, WhatIsMissing) {
  EXPECT_THAT(refusal("model: {source: m}\ndata: {train: [a]}\n"),
              HasSubstr("the recipe lacks the key `train`"));
  EXPECT_THAT(refusal("model: {}\ndata: {train: [a]}\ntrain: {end: {steps: 1}}\n"),
              StartsWith("r.yaml:1:8: model lacks the key `source`"));
  EXPECT_THAT(refusal_of("train.end.steps", "null"), HasSubstr("gives the run no end"));
  EXPECT_THAT(refusal_of("data.train", "[]"), HasSubstr("data.train is empty"));
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("is empty"));
  EXPECT_THAT(refusal("- a\n"), HasSubstr("must be a group of keys, not a list"));
}

TEST(RecipeErrors, ImpossiblePairs) {
  EXPECT_THAT(refusal(kSmall, ErrorCode::recipe,
                      {{"train.micro_batch_rows", "2"}, {"train.max_tokens_per_rank", "4096"}}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(refusal_of("train.micro_batch_rows", "9"),
              HasSubstr("micro_batch_rows 9 is more than train.global_batch_rows 8"));
  EXPECT_THAT(refusal_of("train.max_tokens_per_rank", "1024"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal_of("optimizer.schedule.min_learning_rate", "1e-3"),
              HasSubstr("0.001 is above optimizer.learning_rate 1e-05"));
  EXPECT_THAT(refusal_of("evaluation", "{keep_best: true, every_steps: 2}"),
              HasSubstr("data.evaluation is empty"));
  EXPECT_THAT(refusal_of("evaluation.prompts", "[a, b, c, d, e, f, g, h, i]"),
              HasSubstr("at most 8"));
  EXPECT_THAT(refusal_of("output", "./m/"), HasSubstr("output is the model itself"));
  EXPECT_THAT(refusal_of("train.end", "{seconds: 5}"), HasSubstr("must know the number of steps"));
  EXPECT_EQ(load(kSmall, {{"train.end", "{seconds: 5}"}, {"optimizer.schedule.name", "constant"}})
                .recipe.train.end.seconds,
            5.0);
}

TEST(RecipeErrors, FilesOfTheHubAreNamedInFull) {
  EXPECT_EQ(with("data.train.0", "hf://datasets/org/name@v1/a.jsonl").data.train[0].source,
            "hf://datasets/org/name@v1/a.jsonl");
  EXPECT_THAT(refusal_of("data.train.0", "hf://datasets/org/name"),
              HasSubstr("the name of a file is missing. Write hf://datasets/ORG/NAME/PATH"));
  EXPECT_THAT(refusal_of("data.evaluation.a", "hf://org/name/a.jsonl"),
              HasSubstr("only data sets of the hub"));
}

TEST(RecipeErrors, FeaturesToComeAreUnsupported) {
  for (const auto& [key, value] :
       std::vector<RecipeOverride>{{"precision.weights", "fp8"},
                                   {"layout.tp", "2"},
                                   {"layout.sp", "true"},
                                   {"layout.layer_split", "[1, 2]"},
                                   {"adapter", "{name: lora}"},
                                   {"memory.optimizer_offload", "0.5"},
                                   {"data.packing", "best_fit"},
                                   {"data.mask", "qwen3_5"},
                                   {"data.workers", "2"},
                                   {"data.train.0", "{source: a, weight: 2}"},
                                   {"data.train.0", "{source: a, split: test}"},
                                   {"data.train.0", "s3://bucket/x.jsonl"}}) {
    const std::string message = refusal_of(key, value, ErrorCode::unsupported);
    EXPECT_THAT(message, StartsWith("--set " + key + ": " + key)) << message;
    EXPECT_THAT(message, HasSubstr("is not there yet. what this version has: ")) << message;
  }
  for (const auto& [key, value] : std::vector<RecipeOverride>{{"precision.weights", "fp32"},
                                                              {"layout.tp", "1"},
                                                              {"layout.layer_split", "null"},
                                                              {"adapter", "null"},
                                                              {"memory.optimizer_offload", "0.0"},
                                                              {"log.trackers", "[]"},
                                                              {"model.revision", "0123abc"},
                                                              {"model.revision", "null"}})
    EXPECT_NO_THROW(with(key, value)) << key;
}

TEST(RecipeErrors, SourcesOfDifferentFormatsAreUnsupported) {
  EXPECT_THAT(
      refusal(kSmall, ErrorCode::unsupported, {{"data.train.1", "{source: b, format: text}"}}),
      StartsWith("--set data.train.1: data.train mixes the formats auto and text"));
}

TEST(RecipeWarnings, SettingsWithoutEffect) {
  const auto warning_of = [](const std::vector<RecipeOverride>& overrides) {
    const auto warnings = load(kSmall, overrides).warnings;
    return warnings.size() == 1 ? warnings[0] : "not one warning";
  };
  EXPECT_EQ(
      load(kSmall + "checkpoint: {keep: 3}\n").warnings.at(0),
      "r.yaml:4:20: checkpoint.keep has no effect: checkpoint.every_steps is 0, so that only an "
      "interrupt saves one");
  EXPECT_THAT(
      warning_of({{"optimizer.schedule", "{name: constant, min_learning_rate: 1e-6, warmup: 2}"}}),
      HasSubstr("min_learning_rate has no effect"));
  EXPECT_THAT(warning_of({{"optimizer.schedule.first_step", "zero"}}), HasSubstr("no warm-up"));
  EXPECT_THAT(warning_of({{"optimizer.schedule.warmup", "4"}, {"optimizer.learning_rate", "1"}}),
              HasSubstr("never reached"));
  EXPECT_THAT(warning_of({{"data.mask", "all"}, {"data.mask_trailing_newline", "true"}}),
              HasSubstr("mask_trailing_newline has no effect: data.mask is all"));
  EXPECT_THAT(warning_of({{"data.train", "{source: a, format: text}"}, {"data.mask", "last"}}),
              HasSubstr("data.mask has no effect"));
  EXPECT_THAT(warning_of({{"data.evaluation.h", "h.jsonl"},
                          {"evaluation.stop_after_evaluations_without_gain", "2"}}),
              HasSubstr("evaluation.every_steps is 0"));
  EXPECT_THAT(warning_of({{"evaluation.every_steps", "4"}}), HasSubstr("are empty"));
  EXPECT_THAT(warning_of({{"evaluation.at_start", "false"}}), HasSubstr("are empty"));
  EXPECT_THAT(warning_of({{"evaluation.prompt_tokens", "5"}}), HasSubstr("prompts is empty"));
  EXPECT_THAT(warning_of({{"optimizer.groups", "[{pattern: \"*\"}]"}}), HasSubstr("sets neither"));
  EXPECT_THAT(warning_of({{"optimizer.groups",
                           "[{pattern: \"*\", weight_decay: 1}, {pattern: b, "
                           "weight_decay: 0}]"}}),
              HasSubstr("optimizer.groups.1 has no effect"));
  EXPECT_THAT(warning_of({{"data.evaluation.h", "a.jsonl"}, {"evaluation.every_steps", "1"}}),
              HasSubstr("is the file that is trained on"));
}

TEST(RecipeWarnings, ValuesThatHoldAnywayAreNotWarnedAbout) {
  EXPECT_THAT(load(kSmall + "checkpoint: {keep: 2}\n").warnings, IsEmpty());
  EXPECT_THAT(load(to_yaml(load(kSmall).recipe)).warnings, IsEmpty());
}

TEST(RecipeOverrides, WinAndMakeWhatIsMissing) {
  EXPECT_EQ(with("train.end.steps", "8").train.end.steps, 8);
  EXPECT_EQ(with("optimizer.schedule.name", "linear").optimizer.schedule.name, "linear");
  EXPECT_EQ(with("data.train.1.source", "b.jsonl").data.train.at(1).source, "b.jsonl");
  EXPECT_EQ(with("data.train", "b.jsonl").data.train.at(0).source, "b.jsonl");
  EXPECT_EQ(with("train.micro_batch_rows", "auto").train.micro_batch_rows, std::nullopt);
  EXPECT_EQ(load(kSmall, {{"train.seed", "1"}, {"train.seed", "2"}}).recipe.train.seed, 2);
}

TEST(RecipeOverrides, AreRefusedByName) {
  EXPECT_THAT(refusal_of("", "1"), HasSubstr("is not the name of a key"));
  EXPECT_THAT(refusal_of("train..end", "1"), HasSubstr("is not the name of a key"));
  EXPECT_THAT(refusal_of("model.source.x", "1"), HasSubstr("there is no `x` in the value m"));
  EXPECT_THAT(refusal_of("data.train.7", "a"), HasSubstr("items are counted from 0"));
  EXPECT_THAT(refusal_of("data.train", "[a"), HasSubstr("this is not YAML"));
  EXPECT_THAT(refusal_of("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", "1"), HasSubstr("nested that deep"));
}

TEST(RecipeFile, MissingFileIsAnIoError) {
  try {
    load_recipe("/no/such/recipe.yaml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.what(), HasSubstr("/no/such/recipe.yaml"));
  }
}

}  // namespace
}  // namespace burnish
