#include "cli/commands.h"

#include <iostream>

#include "base/error.h"
#include "cli/terminal.h"

namespace burnish {

void add_set_option(CLI::App* command, std::vector<std::string>& settings) {
  command->add_option("--set", settings, "Put a value over the recipe's: --set train.end.steps=10")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

std::vector<RecipeOverride> overrides_of(const std::vector<std::string>& settings) {
  std::vector<RecipeOverride> overrides;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage, "`" + setting + "` sets nothing", "--set",
                  "write --set KEY=VALUE, for example --set train.end.steps=10");
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return overrides;
}

void print_warnings(const std::vector<std::string>& warnings) {
  const Colours colours = colours_of_stderr();
  for (const std::string& warning : warnings)
    std::cerr << colours.yellow << "warning:" << colours.plain << ' ' << warning << '\n';
}

}  // namespace burnish
