// The subcommands: each file parses its arguments, calls, and prints.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace burnish {

/// A command that reports failures by itself (one a row) leaves its exit code in `status`.
void add_recipe_command(CLI::App& app);
void add_import_command(CLI::App* recipe);
void add_text_command(CLI::App& app, int& status);
void add_data_command(CLI::App& app);
void add_model_command(CLI::App& app);
void add_hub_command(CLI::App& app, int& status);
void add_train_command(CLI::App& app);
void add_chat_command(CLI::App& app);
void add_doctor_command(CLI::App& app);
void add_quickstart_command(CLI::App& app);

/// `--set KEY=VALUE`, as often as needed.
void add_set_option(CLI::App* command, std::vector<std::string>& settings);
/// @throws Error(usage) for one without `=`.
std::vector<RecipeOverride> overrides_of(const std::vector<std::string>& settings);

/// "warning: ..." on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace burnish
