#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "recipe/checks.h"
#include "recipe/number_text.h"

namespace burnish {
namespace {

/// Where the first of these keys stands that the recipe gives.
std::string place_of(const YamlNode& root, std::initializer_list<const char*> paths) {
  for (const char* path : paths)
    if (const YamlNode* node = find_node(root, path)) return node->place;
  return root.place;
}

[[noreturn]] void refuse(const std::string& fact, const std::string& place,
                         const std::string& advice) {
  throw Error(ErrorCode::recipe, fact, place, advice);
}

void check_end(const Recipe& recipe, const YamlNode& root) {
  const TrainEnd& end = recipe.train.end;
  if (!end.steps && !end.epochs && !end.tokens && !end.seconds)
    refuse("train.end gives the run no end", place_of(root, {"train.end", "train"}),
           "set train.end.steps, epochs, tokens or seconds");
  const ScheduleRecipe& schedule = recipe.optimizer.schedule;
  const bool length_known = end.steps || end.epochs || end.tokens;
  const bool needs_length = schedule.name != "constant" || schedule.warmup_fraction > 0;
  if (!length_known && needs_length)
    refuse("the " + schedule.name + " schedule" +
               (schedule.warmup_fraction > 0 ? " with a warm-up in parts of the run" : "") +
               " must know the number of steps, and train.end.seconds alone does not tell it",
           place_of(root, {"optimizer.schedule", "train.end.seconds"}),
           "set train.end.steps, epochs or tokens too, or take `optimizer.schedule.name: constant` "
           "with warm-up steps");
}

/// The sources are read as one list, in one format.
void check_formats(const Recipe& recipe, const YamlNode& root) {
  const std::vector<DataSource>& sources = recipe.data.train;
  for (size_t i = 1; i < sources.size(); ++i)
    if (sources[i].format != sources[0].format)
      throw Error(ErrorCode::unsupported,
                  "data.train mixes the formats " + sources[0].format + " and " +
                      sources[i].format + ", which is not there yet",
                  place_of(root, {("data.train." + std::to_string(i)).c_str(), "data.train"}),
                  "what this version has: one format for all sources");
}

void check_batch(const Recipe& recipe, const YamlNode& root) {
  const TrainRecipe& train = recipe.train;
  if (train.micro_batch_rows && train.max_tokens_per_rank)
    refuse(
        "train.micro_batch_rows and train.max_tokens_per_rank exclude each other: both say how "
        "much one pass holds",
        place_of(root, {"train.max_tokens_per_rank"}),
        "leave one out (`train.micro_batch_rows: auto`, `train.max_tokens_per_rank: null`)");
  if (train.micro_batch_rows.value_or(0) > train.global_batch_rows)
    refuse("train.micro_batch_rows " + std::to_string(*train.micro_batch_rows) +
               " is more than train.global_batch_rows " + std::to_string(train.global_batch_rows),
           place_of(root, {"train.micro_batch_rows"}), "a step has only the global rows to pass");
  if (train.max_tokens_per_rank.value_or(recipe.data.sequence_length) < recipe.data.sequence_length)
    refuse("a row of data.sequence_length " + std::to_string(recipe.data.sequence_length) +
               " tokens does not fit in train.max_tokens_per_rank " +
               std::to_string(*train.max_tokens_per_rank),
           place_of(root, {"train.max_tokens_per_rank"}), "raise the one or lower the other");
}

void check_rates(const Recipe& recipe, const YamlNode& root) {
  const OptimizerRecipe& optimizer = recipe.optimizer;
  if (optimizer.schedule.min_learning_rate > optimizer.learning_rate)
    refuse("optimizer.schedule.min_learning_rate " +
               short_number(optimizer.schedule.min_learning_rate) +
               " is above optimizer.learning_rate " + short_number(optimizer.learning_rate),
           place_of(root, {"optimizer.schedule.min_learning_rate"}),
           "a schedule falls from the one to the other");
}

/// fp64 is for checking: there it is in all places.
void check_double(const PrecisionRecipe& p, const std::string& place) {
  const std::vector<std::string> kinds{p.weights, p.compute,   p.master,
                                       p.moments, p.gradients, p.reduce};
  const auto doubles = std::count(kinds.begin(), kinds.end(), "fp64");
  if (doubles != 0 && doubles != static_cast<int64_t>(kinds.size()))
    refuse("precision mixes fp64 with other types", place,
           "fp64 is for checking, in all places: write `precision: fp64`");
}

void check_precision(const Recipe& recipe, const YamlNode& root) {
  const PrecisionRecipe& p = recipe.precision;
  const std::string place = place_of(root, {"precision"});
  check_double(p, place);
  if (p.compute != p.weights)
    refuse("precision.compute " + p.compute + " differs from precision.weights " + p.weights, place,
           "products in bf16 with exact updates are `weights: bf16, master: fp32`");
  if (p.master != p.weights && p.master != "fp32")
    refuse("precision.master " + p.master + " beside precision.weights " + p.weights, place,
           "the master is fp32, or of the type of the weights: then there is none beside them");
  if (p.gradients != p.weights && p.gradients != "fp32")
    refuse("precision.gradients " + p.gradients + " beside precision.weights " + p.weights, place,
           "gradients are fp32, or of the type of the weights");
  if (p.weights == "fp16" && p.master == "fp16")
    refuse("precision.master fp16 loses nearly every update", place, "write `master: fp32`");
  if (p.moments == "fp16")
    refuse("precision.moments fp16 cannot hold a squared gradient below 6e-8", place,
           "write `moments: fp32` or `moments: bf16`");
}

void check_evaluation(const Recipe& recipe, const YamlNode& root) {
  const EvaluationRecipe& evaluation = recipe.evaluation;
  const auto needs = [&](const char* key) {
    if (recipe.data.evaluation.empty())
      refuse(std::string(key) + " needs a set to evaluate, and data.evaluation is empty",
             place_of(root, {key}), "name a set under data.evaluation");
  };
  if (evaluation.keep_best) needs("evaluation.keep_best");
  if (evaluation.stop_after_evaluations_without_gain)
    needs("evaluation.stop_after_evaluations_without_gain");
}

std::string normal(const std::string& path) {
  std::string text = std::filesystem::path(path).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

void check_folders(const Recipe& recipe, const YamlNode& root) {
  const std::string output = normal(recipe.output);
  if (output == normal(recipe.model.source))
    refuse("output is the model itself, " + recipe.output, place_of(root, {"output"}),
           "name a folder of its own");
  if (!recipe.train.init_from.empty() && output == normal(recipe.train.init_from))
    refuse("output is the run that train.init_from starts from, " + recipe.output,
           place_of(root, {"output"}),
           "name a folder of its own; to go on with a run, use `burnish train --resume`");
}

}  // namespace

void refuse_impossible_pairs(const Recipe& recipe, const YamlNode& root) {
  if (recipe.data.train.empty())
    refuse("data.train is empty", place_of(root, {"data.train"}), "name at least one source");
  if (recipe.model.trainable.empty())
    refuse("model.trainable is empty: nothing would be trained",
           place_of(root, {"model.trainable"}), "write [\"*\"] for all parameters");
  check_formats(recipe, root);
  check_end(recipe, root);
  check_batch(recipe, root);
  check_rates(recipe, root);
  check_precision(recipe, root);
  check_evaluation(recipe, root);
  check_folders(recipe, root);
}

}  // namespace burnish
