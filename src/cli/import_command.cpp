#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "recipe/import/import.h"

namespace burnish {
namespace {

using Outcome = ImportedKey::Outcome;

struct Options {
  std::string file, output;
  ImportOptions import;
  std::vector<std::string> settings;
  bool json = false;
};

const char* name_of(Outcome outcome) {
  if (outcome == Outcome::mapped) return "mapped";
  return outcome == Outcome::refused ? "refused" : "no effect";
}

nlohmann::ordered_json as_json(const ImportedKey& key) {
  nlohmann::ordered_json line = {{"key", key.key},
                                 {"value", key.value},
                                 {"place", key.place},
                                 {"given", key.given},
                                 {"outcome", name_of(key.outcome)}};
  if (!key.became.empty()) line["became"] = key.became;
  if (!key.reason.empty()) line["reason"] = key.reason;
  if (!key.instead.empty()) line["instead"] = key.instead;
  if (key.outcome == Outcome::refused) line["changes_training"] = key.changes_training;
  return line;
}

std::string text_of(const ImportedKey& key) {
  std::string text = key.key + (key.value.empty() ? "" : ": " + key.value);
  if (!key.given) text += " (" + key.place + ")";
  if (!key.became.empty()) text += " -> " + key.became;
  if (!key.reason.empty()) text += key.became.empty() ? ": " + key.reason : " (" + key.reason + ")";
  if (!key.instead.empty()) text += "; to do: " + key.instead;
  if (key.outcome == Outcome::refused) text += " [" + key.place + "]";
  return text;
}

/// What happened to each key, by outcome, on stderr.
void print_table(const ImportedRecipe& imported) {
  const Colours colours = colours_of_stderr();
  for (const Outcome outcome : {Outcome::mapped, Outcome::no_effect, Outcome::refused}) {
    bool any = false;
    for (const ImportedKey& key : imported.keys) {
      if (key.outcome != outcome) continue;
      if (!any) std::cerr << colours.bold << name_of(outcome) << colours.plain << '\n';
      any = true;
      std::cerr << "  " << text_of(key) << '\n';
    }
  }
}

void print_json(const ImportedRecipe& imported, const std::string& output) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  for (const ImportedKey& key : imported.keys) keys.push_back(as_json(key));
  nlohmann::ordered_json line = {{"ok", !imported.yaml.empty()}, {"format", imported.format}};
  if (!imported.yaml.empty())
    line[output.empty() ? "recipe" : "output"] = output.empty() ? imported.yaml : output;
  line["warnings"] = imported.warnings;
  line["keys"] = keys;
  std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

void check_output(const Options& options) {
  std::error_code ignored;
  for (const std::filesystem::path& input :
       {std::filesystem::path(options.file), options.import.accelerate})
    if (!options.output.empty() && std::filesystem::equivalent(options.output, input, ignored))
      throw Error(ErrorCode::usage, "the recipe would be written over " + input.string(),
                  "--output", "name another file");
}

void run_import(Options& options) {
  check_output(options);
  options.import.overrides = overrides_of(options.settings);
  const ImportedRecipe imported = import_recipe(options.file, options.import);
  if (!imported.yaml.empty() && !options.output.empty())
    write_text_file(options.output, imported.yaml);
  if (options.json) {
    print_json(imported, options.output);
  } else {
    print_table(imported);
    print_warnings(imported.warnings);
    if (options.output.empty()) std::cout << imported.yaml;
  }
  if (const size_t count = imported.obstacles().size(); imported.yaml.empty())
    throw Error(ErrorCode::unsupported,
                count == 1 ? "the key `" + imported.obstacles()[0]->key + "` is refused"
                           : std::to_string(count) + " keys are refused",
                options.file,
                "change them as the table says, or leave them out with --skip-refused");
}

}  // namespace

void add_import_command(CLI::App* recipe) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = recipe->add_subcommand(
      "import", "Turn a configuration of TRL, axolotl, LLaMA-Factory or accelerate into a recipe");
  command->add_option("FILE", options->file, "The configuration, YAML or JSON")->required();
  command->add_option("--output", options->output, "Where the recipe goes; default: stdout")
      ->type_name("FILE");
  command
      ->add_option("--format", options->import.format,
                   "trl, axolotl, llama-factory or accelerate; default: told by the keys")
      ->type_name("NAME");
  command
      ->add_option("--accelerate", options->import.accelerate,
                   "accelerate's file that the run was launched with")
      ->type_name("FILE");
  command
      ->add_option("--processes", options->import.processes,
                   "Processes of the original run; default: 1, or what accelerate's file says")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--skip-refused", options->import.skip_refused,
                    "Leave out what is refused; it stands as comments in the recipe");
  add_set_option(command, options->settings);
  command->add_flag("--json", options->json, "One JSON line: the recipe, and each key's outcome");
  command->footer(
      "Example:\n  burnish recipe import sft.yaml --accelerate fsdp.yaml --output chat.yaml\n\n"
      "docs/recipe-import.md says what becomes of the keys.");
  command->callback([options] { run_import(*options); });
}

}  // namespace burnish
