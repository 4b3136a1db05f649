#include "cli/usage_error.h"

#include "recipe/nearest_key.h"

namespace burnish {
namespace {

/// How far the arguments lead: the last command that is known, and the word that is none.
struct Reached {
  const CLI::App* command;
  std::string name, unknown;
};

const CLI::App* child_named(const CLI::App& command, const std::string& name) {
  for (const CLI::App* child : command.get_subcommands({}))
    if (child->get_name() == name) return child;
  return nullptr;
}

Reached follow(const CLI::App& app, const std::vector<std::string>& arguments) {
  Reached reached{&app, "burnish", {}};
  for (const std::string& argument : arguments) {
    if (argument.empty() || argument[0] == '-') continue;
    if (reached.command->get_subcommands({}).empty()) break;
    const CLI::App* next = child_named(*reached.command, argument);
    if (next == nullptr) {
      reached.unknown = argument;
      break;
    }
    reached.command = next;
    reached.name += " " + argument;
  }
  return reached;
}

std::vector<std::string> subcommands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* child : command.get_subcommands({})) names.push_back(child->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The first option among the arguments that the command does not have.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '-' || argument == "--") continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (command.get_option_no_throw(name) == nullptr) return name;
  }
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

}  // namespace

Error usage_error(const CLI::App& app, const std::vector<std::string>& arguments,
                  const std::string& message) {
  const Reached reached = follow(app, arguments);
  const std::string help = "see " + reached.name + " --help";
  if (!reached.unknown.empty()) {
    const std::vector<std::string> known = subcommands_of(*reached.command);
    const auto near = nearest(reached.unknown, known);
    return {ErrorCode::usage, "there is no command `" + reached.unknown + "`", reached.name,
            near ? "did you mean `" + reached.name + " " + *near + "`?"
                 : "the commands are " + joined(known)};
  }
  const std::string option = unknown_option(*reached.command, arguments);
  if (!option.empty()) {
    const auto near = nearest(option, options_of(*reached.command));
    return {ErrorCode::usage, "there is no option `" + option + "`", reached.name,
            near ? "did you mean `" + *near + "`?" : help};
  }
  return {ErrorCode::usage, message, reached.name, help};
}

}  // namespace burnish
