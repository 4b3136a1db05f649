// The recipe: everything a run depends on, as plain values. docs/recipe.md explains each key; its
// text, its checks and its name are declared once, in schema*.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace burnish {

struct ModelRecipe {
  std::string source;
  std::string revision;  ///< of a hub model; empty: as in source
  /// Key `template`: default, the name of a format (text/chat_format.h), or the path of a .jinja
  /// file.
  std::string chat_template = "default";
  std::vector<std::string> add_tokens;
  std::optional<std::string> eos_token;
  std::vector<std::string> trainable{"*"};  ///< glob patterns over names on disk
};

struct DataSource {
  std::string source;
  std::string format = "auto";  ///< auto, messages, text
  std::string split = "train";
  double weight = 1.0;
};

struct DataRecipe {
  std::vector<DataSource> train;
  std::map<std::string, DataSource> evaluation;
  std::string mask = "assistant";  ///< assistant, last, all, completion, generation
  bool mask_trailing_newline = false;
  std::string content_tokens =
      "plain";  ///< plain: message text never becomes a control token; parsed
  int64_t sequence_length = 2048;
  std::string overlong = "truncate";        ///< drop, truncate, split, error
  std::string packing = "stream";           ///< stream, none
  std::optional<int64_t> shuffle_seed = 0;  ///< key `shuffle: {seed}`; null: file order
  bool skip_bad_lines = false;
  int workers = 1;
  std::string date;  ///< what strftime_now sees, YYYY-MM-DD; empty: the run's start, recorded
};

struct TrainEnd {  ///< at least one is set; the first one reached ends the run
  std::optional<int64_t> steps, tokens;
  std::optional<double> epochs, seconds;
};

struct TrainRecipe {
  TrainEnd end;
  int64_t global_batch_rows = 8;
  std::optional<int64_t> micro_batch_rows;     ///< empty: auto
  std::optional<int64_t> max_tokens_per_rank;  ///< in place of micro_batch_rows
  int64_t seed = 0;
  std::string on_spike = "warn";  ///< warn, skip, stop
  std::string init_from;          ///< weights alone from another run's checkpoint or model folder
  int threads = 0;                ///< 0: all processors
};

struct ScheduleRecipe {
  std::string name = "cosine";  ///< constant, linear, cosine
  /// Key `warmup`: an integer counts steps, a fraction below 1 is one of the whole run.
  double warmup_fraction = 0.0;
  std::optional<int64_t> warmup_steps;
  double min_learning_rate = 0.0;
  /// `next`: step k of 0.. uses (k + 1) / W in warm-up; `zero`: k / W, so that step 0 has rate 0
  /// (seed 002's arithmetic, and transformers').
  std::string first_step = "next";
};

struct ParameterGroup {
  std::string pattern;  ///< glob over names on disk; the first group that matches decides
  std::optional<double> learning_rate, weight_decay;
};

struct OptimizerRecipe {
  std::string name = "adamw";
  double learning_rate = 1e-5;
  double beta1 = 0.9, beta2 = 0.95;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  std::optional<double> clip_norm = 1.0;  ///< null: no clipping
  std::vector<ParameterGroup> groups;
  ScheduleRecipe schedule;
};

struct PrecisionRecipe {
  std::string weights = "fp32", compute = "fp32", master = "fp32", moments = "fp32",
              gradients = "fp32", reduce = "fp32";
  std::optional<double> loss_scale;  ///< fp16: fixed; null: dynamic
};

struct LayoutRecipe {
  int dp = 1, fsdp = 1, tp = 1, pp = 1, vpp = 1, cp = 1, ep = 1, etp = 1;
  bool sp = false;
  std::optional<std::vector<int>> layer_split;
};

struct MemoryRecipe {
  std::string recompute = "none";  ///< none, unit
  double optimizer_offload = 0.0;
};

struct EvaluationRecipe {
  int64_t every_steps = 0;  ///< 0: at the end alone
  bool at_start = true;
  std::vector<std::string> prompts;  ///< at most 8
  int64_t prompt_tokens = 64;        ///< longest answer
  bool keep_best = false;
  std::optional<int64_t> stop_after_evaluations_without_gain;
};

struct CheckpointRecipe {
  int64_t every_steps = 0;  ///< 0: only when interrupted
  int64_t keep = 2;
};

struct TrackerRecipe {
  std::string command;  ///< for sh; gets the lines of metrics.jsonl on its standard input
};

struct LogRecipe {
  int64_t every_steps = 1;
  std::vector<TrackerRecipe> trackers;
};

struct Recipe {
  int schema_version = 1;
  ModelRecipe model;
  DataRecipe data;
  TrainRecipe train;
  OptimizerRecipe optimizer;
  PrecisionRecipe precision;
  LayoutRecipe layout;
  MemoryRecipe memory;
  EvaluationRecipe evaluation;
  CheckpointRecipe checkpoint;
  LogRecipe log;
  std::string output = "runs/run";
};

struct LoadedRecipe {
  Recipe recipe;
  std::vector<std::string> warnings;  ///< settings that have no effect, each with its place
  std::string given;  ///< the keys that file and overrides give, as YAML: `recipe show`
};

/// One `--set a.b=c`; the value is YAML.
struct RecipeOverride {
  std::string key, value;
};

/// Reads, applies the overrides, fills defaults, checks types and impossible pairs.
/// @throws Error(recipe) with FILE:line:column (or "--set KEY"), the nearest right key, the reason.
LoadedRecipe load_recipe(const std::filesystem::path& file,
                         const std::vector<RecipeOverride>& overrides = {});
/// The same from text; `name` stands in messages.
LoadedRecipe parse_recipe(const std::string& yaml, const std::string& name,
                          const std::vector<RecipeOverride>& overrides = {});

/// The whole recipe as YAML, every key with its value: `recipe show --resolved`, and recipe.yaml of
/// a run folder. parse_recipe reads it back to the same values.
std::string to_yaml(const Recipe& recipe);

/// (key, before, after) of every value in which two recipes differ, keys as "a.b".
struct RecipeDifference {
  std::string key, before, after;
};
std::vector<RecipeDifference> differences(const Recipe& before, const Recipe& after);

/// Every key with type, default, unit and meaning, as the Markdown tables of docs/recipe.md.
std::string recipe_reference();

}  // namespace burnish
