#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/training.h"

namespace burnish {
namespace {

struct Options {
  std::string recipe;
  std::vector<std::string> settings;
  bool resume = false, json = false, quiet = false;
};

void train(const Options& options) {
  LoadedRecipe loaded = load_recipe(options.recipe, overrides_of(options.settings));
  TrainRequest request;
  request.recipe = std::move(loaded.recipe);
  request.warnings = std::move(loaded.warnings);
  request.resume = options.resume;
  request.process_start_s = start_of_work_s();
  request.quiet = options.quiet || options.json;
  const TrainSummary summary = train_and_report(request);
  if (options.json) {
    std::cout << summary.dump() << '\n';
    return;
  }
  const std::string model = summary.value("model", request.recipe.output + "/model");
  std::cout << "run:   " << summary.value("run", request.recipe.output) << '\n'
            << "model: " << model << '\n'
            << "try it: burnish chat " << model << '\n';
}

}  // namespace

void add_train_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", "Fine-tune a model as a recipe says");
  command->add_option("RECIPE", options->recipe, "The recipe (docs/recipe.md)")->required();
  add_set_option(command, options->settings);
  command->add_flag("--resume", options->resume, "Go on with the run in the output folder");
  command->add_flag("--json", options->json,
                    "End with one JSON line: tokens, losses, times, folders");
  command->add_flag("--quiet", options->quiet, "No progress line");
  command->footer(
      "Example:\n  burnish train recipes/smollm2-chat.yaml --set train.end.steps=20\n\n"
      "Ctrl-C saves the run; --resume goes on with it.");
  command->callback([options] { train(*options); });
}

}  // namespace burnish
