#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/built_with.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "cli/usage_error.h"

namespace burnish {
namespace {

void print_error(const Error& error, bool as_json) {
  if (as_json) {
    const nlohmann::ordered_json line = {{"error",
                                          {{"code", name_of(error.code())},
                                           {"what", error.fact()},
                                           {"where", error.where()},
                                           {"advice", error.advice()}}}};
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    return;
  }
  const Colours colours = colours_of_stderr();
  std::cerr << colours.red << "error:" << colours.plain << ' ' << error.fact() << '\n';
  if (!error.where().empty())
    std::cerr << colours.dim << "  where:" << colours.plain << ' ' << error.where() << '\n';
  if (!error.advice().empty())
    std::cerr << colours.dim << "  to do:" << colours.plain << ' ' << error.advice() << '\n';
}

/// Parses and runs; returns the exit code. @throws Error
int run(CLI::App& app, const std::vector<std::string>& arguments, const int& status) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw usage_error(app, arguments, error.what());
  }
  return status;
}

int run_and_report(CLI::App& app, const std::vector<std::string>& arguments, const int& status) {
  const bool as_json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  try {
    const int code = run(app, arguments, status);
    if (!std::cout.flush())
      throw Error(ErrorCode::io, "cannot write the output", "stdout", "is the disk full?");
    return code;
  } catch (const Error& error) {
    print_error(error, as_json);
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    print_error({ErrorCode::internal, "out of memory"}, as_json);
  } catch (const std::exception& error) {
    print_error({ErrorCode::internal, error.what(), {}, "this is a bug: please report it"},
                as_json);
  }
  return exit_code(ErrorCode::internal);
}

}  // namespace
}  // namespace burnish

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  CLI::App app("Fine-tunes language models, natively.", "burnish");
  app.set_version_flag("--version", burnish::built_with_text());
  app.require_subcommand(1);
  app.footer(
      "Example:\n  burnish train recipes/smollm2-chat.yaml\n\n"
      "Every command has --help with an example.");
  int status = 0;
  burnish::add_quickstart_command(app);
  burnish::add_train_command(app);
  burnish::add_chat_command(app);
  burnish::add_data_command(app);
  burnish::add_text_command(app, status);
  burnish::add_model_command(app);
  burnish::add_hub_command(app, status);
  burnish::add_recipe_command(app);
  burnish::add_doctor_command(app);
  const int code = burnish::run_and_report(app, arguments, status);
  // not by return: libtorch's static destructors cost 0.2 s
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}
