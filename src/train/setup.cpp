#include "train/setup.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <optional>

#include "base/built_with.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "measure/environment.h"
#include "measure/metrics_file.h"
#include "measure/process.h"
#include "recipe/data_pins.h"
#include "recipe/run_text.h"
#include "train/glob.h"
#include "train/precision.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

Recipe resolve(const TrainRequest& request) {
  Recipe recipe = request.recipe;
  const fs::path previous = fs::path(recipe.output) / "recipe.yaml";
  if (request.resume && fs::exists(previous)) {
    // the date of the first start stays, so that templates render alike, and so does the commit
    const Recipe before = load_recipe(previous).recipe;
    if (recipe.data.date.empty()) recipe.data.date = before.data.date;
    if (recipe.model.revision.empty() && recipe.model.source == before.model.source)
      recipe.model.revision = before.model.revision;
    keep_pins(recipe.data, before.data);
  }
  pin_data(recipe.data, hub_settings());
  if (recipe.data.date.empty()) recipe.data.date = utc_now().substr(0, 10);
  return recipe;
}

RunText load_run_text(const Recipe& recipe, const ModelSource& source) {
  RunText text = run_text(recipe.model, load_text(source));
  if (!text.files.chat_template && !recipe.evaluation.prompts.empty())
    throw Error(ErrorCode::recipe, "prompts need a chat template, and the model has none",
                "evaluation.prompts", "Name one with model.template: chatml, or a file");
  return text;
}

bool is_trainable(const Recipe& recipe, const std::string& name) {
  return std::any_of(recipe.model.trainable.begin(), recipe.model.trainable.end(),
                     [&](const std::string& pattern) { return glob_matches(pattern, name); });
}

void check_length(const Recipe& recipe, const ModelSource& source) {
  const int64_t longest = load_config(source).max_position_embeddings;
  if (recipe.data.sequence_length > longest)
    throw Error(ErrorCode::recipe,
                std::to_string(recipe.data.sequence_length) +
                    " tokens are more than the model reads (" + std::to_string(longest) + ")",
                "data.sequence_length", "Lower it");
}

std::unique_ptr<Model> load_trained_model(const Recipe& recipe, const ModelSource& source,
                                          const RunText& text) {
  ModelOptions options;
  options.dtypes = parameter_dtypes(recipe.precision);
  // answers to prompts may be longer than the training rows
  options.num_positions = recipe.evaluation.prompts.empty() ? recipe.data.sequence_length : 0;
  options.trained = [&](const ParameterDeclaration& declared) {
    return is_trainable(recipe, declared.name);
  };
  options.new_token_ids = text.new_ids;
  auto model = load_model(source, options);
  if (text.new_eos_id) set_eos(model->declaration.config, *text.new_eos_id);
  check_patterns(recipe.model.trainable, model->declaration, "model.trainable");
  for (const std::string& warning : model->checkpoint->warnings()) log_warning(warning);
  return model;
}

// Weights alone: from a checkpoint's folder, or from any model of the same shape.
void initialise_from(const std::string& from, Model& model) {
  const fs::path folder = from;
  if (fs::exists(folder / "weights.safetensors")) {
    load_checkpoint(folder, model, nullptr);
    return;
  }
  ModelDeclaration declaration = model.declaration;
  load_parameters(*open_checkpoint(resolve_model(from), declaration), *model.parameters);
}

void check_tokenizer(const TextFiles& text, const Model& model, const ModelSource& source) {
  const int64_t rows = model.declaration.config.vocab_size;
  if (text.tokenizer.size() > rows)
    throw Error(ErrorCode::model,
                "the tokenizer has " + std::to_string(text.tokenizer.size()) +
                    " tokens, the embedding " + std::to_string(rows) + " rows",
                source.path.string(), "They do not belong together");
}

// A new token whose row is never trained means nothing to the model.
void warn_of_frozen_new_rows(const RunText& text, const Model& model) {
  if (!text.new_ids.empty() && model.parameters->lowest_trained_unit() > 0)
    log_warning("model.add_tokens: the embedding is not among model.trainable, so that the " +
                std::to_string(text.new_ids.size()) + " new tokens keep the mean of the others");
}

void write_environment(const RunFolder& folder) {
  const auto environment = environment_json(read_machine(), built_with());
  write_text_file(folder.environment(), environment.dump(2) + "\n");
}

// False if there is no checkpoint yet: the run begins again.
bool resume(Run& run) {
  const Recipe before = load_recipe(run.folder.recipe()).recipe;
  for (const RecipeDifference& d : check_resumable(before, run.recipe))
    log_info("changed since the run began: " + d.key + ": " + d.before + " -> " + d.after);
  const auto newest = CheckpointFolder(run.folder.checkpoints()).newest();
  if (!newest) {
    log_info("no checkpoint yet: the run begins again at step 0");
    trim_metrics(run.folder.metrics(), -1);
    return false;
  }
  run.state = load_checkpoint(*newest, *run.model, run.optimizer.get());
  if (run.state.data_sha256 != run.data.sha256)
    throw Error(ErrorCode::data, "the training files have changed since the run began",
                newest->string(), "Bring them back, or start a new run with train.init_from");
  run.data.stream.restore(run.state.stream);
  trim_metrics(run.folder.metrics(), run.state.step);
  log_info("resumed " + newest->string() + " after step " + std::to_string(run.state.step));
  return true;
}

}  // namespace

Run set_up(const TrainRequest& request) {
  Recipe recipe = resolve(request);
  RunFolder::check(recipe.output, request.resume);
  if (recipe.train.threads > 0) at::set_num_threads(recipe.train.threads);
  const ModelSource source = resolve_model(recipe.model.source, recipe.model.revision);
  if (!source.commit.empty()) recipe.model.revision = source.commit;  // whatever main becomes
  check_length(recipe, source);
  RunText run_text = load_run_text(recipe, source);
  auto model = load_trained_model(recipe, source, run_text);
  TextFiles& text = run_text.files;
  check_tokenizer(text, *model, source);
  warn_of_frozen_new_rows(run_text, *model);
  TrainingData data = load_training_data(recipe, text);
  const RunLength length = run_length(recipe, data.stream);
  auto optimizer = std::make_unique<Optimizer>(*model->parameters, recipe.optimizer,
                                               scalar_type_of(recipe.precision.moments));
  RunFolder folder = RunFolder::open(recipe.output, request.resume);
  const std::string recipe_yaml = to_yaml(recipe);
  // first of all: a run that is killed from here on can be resumed
  if (!request.resume) write_text_file(folder.recipe(), recipe_yaml);
  log_to_file(folder.log());
  for (const std::string& warning : request.warnings) log_warning(warning);

  Run run{recipe,
          source,
          std::move(model),
          std::move(text),
          run_text.new_eos_id.has_value(),
          std::move(data),
          std::move(folder),
          std::move(optimizer),
          length,
          {}};
  run.state.data_sha256 = run.data.sha256;
  const bool resumed = request.resume && resume(run);
  if (!resumed && !recipe.train.init_from.empty())
    initialise_from(recipe.train.init_from, *run.model);
  run.state.recipe_yaml = recipe_yaml;
  write_text_file(run.folder.recipe(), recipe_yaml);
  write_environment(run.folder);
  return run;
}

}  // namespace burnish
