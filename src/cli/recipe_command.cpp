#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"

namespace burnish {
namespace {

struct Options {
  std::string file, other;
  std::vector<std::string> settings;
  bool resolved = false, json = false;
};

void show(const Options& options) {
  const LoadedRecipe loaded = load_recipe(options.file, overrides_of(options.settings));
  print_warnings(loaded.warnings);
  std::cout << (options.resolved ? to_yaml(loaded.recipe) : loaded.given);
}

void check(const Options& options) {
  const LoadedRecipe loaded = load_recipe(options.file, overrides_of(options.settings));
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"ok", true}, {"warnings", loaded.warnings}}.dump() << '\n';
    return;
  }
  print_warnings(loaded.warnings);
  std::cout << options.file << ": a recipe that can be run\n";
}

void diff(const Options& options) {
  const auto found =
      differences(load_recipe(options.file).recipe, load_recipe(options.other).recipe);
  for (const auto& [key, before, after] : found) {
    if (options.json)
      std::cout << nlohmann::ordered_json{{"key", key}, {"before", before}, {"after", after}}.dump()
                << '\n';
    else
      std::cout << key << ": " << before << " -> " << after << '\n';
  }
}

}  // namespace

void add_recipe_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* recipe = app.add_subcommand("recipe", "Show, check, compare and import recipes");
  recipe->require_subcommand(1);
  recipe->footer(
      "Example:\n  burnish recipe check chat.yaml\n\ndocs/recipe.md explains every key.");

  CLI::App* command = recipe->add_subcommand("show", "Print what a recipe gives, checked");
  command->add_option("FILE", options->file, "The recipe")->required();
  command->add_flag("--resolved", options->resolved, "Every key with its value");
  add_set_option(command, options->settings);
  command->footer("Example:\n  burnish recipe show chat.yaml --resolved --set train.end.steps=10");
  command->callback([options] { show(*options); });

  command = recipe->add_subcommand("check", "Say whether a recipe can be run");
  command->add_option("FILE", options->file, "The recipe")->required();
  command->add_flag("--json", options->json, "One JSON line");
  add_set_option(command, options->settings);
  command->footer("Example:\n  burnish recipe check chat.yaml");
  command->callback([options] { check(*options); });

  command = recipe->add_subcommand("diff", "Print the values in which two recipes differ");
  command->add_option("A", options->file, "A recipe")->required();
  command->add_option("B", options->other, "Another")->required();
  command->add_flag("--json", options->json, "One JSON line a value");
  command->footer("Example:\n  burnish recipe diff runs/one/recipe.yaml runs/two/recipe.yaml");
  command->callback([options] { diff(*options); });

  add_import_command(recipe);

  command = recipe->add_subcommand("keys", "Explain every key (the tables of docs/recipe.md)");
  command->footer("Example:\n  burnish recipe keys");
  command->callback([] { std::cout << recipe_reference(); });
}

}  // namespace burnish
