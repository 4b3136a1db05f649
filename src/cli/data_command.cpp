#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "cli/text_files.h"
#include "data/chatterbot.h"
#include "data/inspect.h"
#include "recipe/data_options.h"
#include "recipe/run_text.h"

namespace burnish {
namespace {

struct InspectOptions {
  std::string recipe, model, data, set;
  std::vector<std::string> settings;
  bool json = false;
  InspectionView view;
};

/// The recipe that `--model DIR --data FILE` stands for.
LoadedRecipe recipe_of(const InspectOptions& options) {
  std::vector<RecipeOverride> overrides;
  const auto put = [&](const std::string& key, const std::string& value) {
    if (!value.empty()) overrides.push_back({key, nlohmann::json(value).dump()});
  };
  put("model.source", options.model);
  put("data.train", options.data);
  for (const RecipeOverride& setting : overrides_of(options.settings)) overrides.push_back(setting);
  if (!options.recipe.empty()) return load_recipe(options.recipe, overrides);
  if (options.model.empty() || options.data.empty())
    throw Error(ErrorCode::usage, "there is nothing to inspect", "burnish data inspect",
                "give a recipe, or --model DIR and --data FILE");
  return parse_recipe("train: {end: {epochs: 1}}", "--model, --data", overrides);
}

/// data.train, or the evaluation set of that name. @throws Error(usage) for one that is not there.
std::vector<DataSource> sources_of(const DataRecipe& data, const std::string& set) {
  if (set.empty()) return data.train;
  const auto found = data.evaluation.find(set);
  if (found != data.evaluation.end()) return {found->second};
  std::string names;
  for (const auto& [name, source] : data.evaluation) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::usage, "the recipe has no evaluation set `" + set + "`", "--evaluation",
              names.empty() ? "it has none" : "it has " + names);
}

void inspect(const InspectOptions& options) {
  const LoadedRecipe loaded = recipe_of(options);
  if (!options.json) print_warnings(loaded.warnings);
  const Recipe& recipe = loaded.recipe;
  const TextFiles text =
      run_text(recipe.model, open_text_files(recipe.model.source, "", recipe.model.revision)).files;
  const Inspection inspection =
      inspect_data(dataset_options(recipe.data, sources_of(recipe.data, options.set)),
                   pack_options(recipe.data, options.set.empty()), text);
  if (options.json) {
    write_inspection_json(std::cout, inspection);
    return;
  }
  InspectionView view = options.view;
  view.colour = *colours_of_stdout().bold != '\0';
  write_inspection_view(std::cout, inspection, text.tokenizer, view);
}

void add_inspect(CLI::App* data) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      data->add_subcommand("inspect", "Show what will be trained on and what will not");
  command->add_option("RECIPE", options->recipe, "A recipe");
  command->add_option("--model", options->model,
                      "In its place: a model, or a folder of a tokenizer");
  command->add_option("--data", options->data, "In its place: a .jsonl file");
  command
      ->add_option("--evaluation", options->set, "An evaluation set of the recipe, not data.train")
      ->type_name("NAME");
  add_set_option(command, options->settings);
  command->add_option("--samples", options->view.samples, "How many samples to show; default: 5")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json,
                    "Every sample as a JSON line: file, line, text, input_ids, labels, or dropped");
  command->footer(
      "Example:\n  burnish data inspect chat.yaml --samples 3\n"
      "  burnish data inspect --model DIR --data chat.jsonl --set data.mask=last --json");
  command->callback([options] { inspect(*options); });
}

struct ConvertOptions {
  std::string folder, train, held_out;
  double held_out_share = 0.1;
  uint64_t seed = 0;
};

void convert_chatterbot(const ConvertOptions& options) {
  const ChatterbotSplit split =
      split_conversations(read_chatterbot(options.folder), options.held_out_share, options.seed);
  write_conversations(options.train, split.train);
  write_conversations(options.held_out, split.held_out);
  std::cout << options.train << ": " << split.train.size() << " conversations\n"
            << options.held_out << ": " << split.held_out.size() << " conversations\n";
}

void add_convert(CLI::App* data) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* convert = data->add_subcommand("convert", "Turn other formats into JSON lines");
  convert->require_subcommand(1);
  convert->footer(
      "Example:\n  burnish data convert chatterbot FOLDER --train a.jsonl --held-out b.jsonl");
  CLI::App* command = convert->add_subcommand(
      "chatterbot", "The conversations of the PyPI package chatterbot-corpus");
  command->add_option("FOLDER", options->folder, "chatterbot_corpus/data/english")->required();
  command->add_option("--train", options->train, "Where the training part goes")->required();
  command->add_option("--held-out", options->held_out, "Where the held-out part goes")->required();
  command->add_option("--held-out-share", options->held_out_share, "Default: 0.1")
      ->check(CLI::Range(1e-6, 1.0 - 1e-6));
  command->add_option("--seed", options->seed, "Of the split; default: 0");
  command->footer(
      "Example:\n  burnish data convert chatterbot english --train chat.jsonl --held-out "
      "held_out.jsonl");
  command->callback([options] { convert_chatterbot(*options); });
}

}  // namespace

void add_data_command(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Inspect and convert training data");
  data->require_subcommand(1);
  data->footer("Example:\n  burnish data inspect chat.yaml");
  add_inspect(data);
  add_convert(data);
}

}  // namespace burnish
