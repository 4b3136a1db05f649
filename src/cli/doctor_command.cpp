#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/built_with.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/doctor_findings.h"
#include "cli/terminal.h"
#include "engine_door.h"
#include "measure/environment.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

double free_disk_mib() {
  std::error_code error;
  const auto space = std::filesystem::space(".", error);
  return error ? 0 : static_cast<double>(space.available) / 1048576;
}

/// The tensor half; where the engine cannot be opened, that is one of the findings.
Json engine_report(std::vector<Finding>& findings) {
  try {
    return open_engine().doctor();
  } catch (const Error& error) {
    findings.push_back({error.fact() + " (" + error.where() + ")", error.advice()});
    return nullptr;
  }
}

void print_value(const std::string& name, const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (value.is_number_float()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", value.get<double>());
    text = digits;
  }
  std::cout << "  " << name << std::string(name.size() < 24 ? 24 - name.size() : 1, ' ') << text
            << '\n';
}

void print_part(const std::string& title, const Json& part) {
  const Colours colours = colours_of_stdout();
  std::cout << colours.bold << title << colours.plain << '\n';
  for (const auto& [name, value] : part.items()) print_value(name, value);
}

void doctor(bool as_json) {
  const Machine machine = read_machine();
  const double disk_mib = free_disk_mib();
  std::vector<Finding> findings = machine_findings(machine, disk_mib);
  Json report = {{"machine", environment_json(machine, built_with())}};
  report["machine"]["disk_available_mib"] = disk_mib;
  report["engine"] = engine_report(findings);
  report["findings"] = Json::array();
  for (const Finding& finding : findings)
    report["findings"].push_back({{"what", finding.what}, {"advice", finding.advice}});
  if (as_json) {
    std::cout << report.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  print_part("machine", report["machine"]);
  if (!report["engine"].is_null()) print_part("engine", report["engine"]);
  const Colours colours = colours_of_stdout();
  if (findings.empty()) std::cout << colours.green << "nothing is wrong" << colours.plain << '\n';
  for (const Finding& finding : findings)
    std::cout << colours.yellow << "wrong:" << colours.plain << ' ' << finding.what
              << "\n  to do: " << finding.advice << '\n';
}

}  // namespace

void add_doctor_command(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("doctor", "Machine, libraries, kernels, measured rate, what is wrong");
  command->add_flag("--json", *as_json, "One JSON line");
  command->footer("Example:\n  burnish doctor");
  command->callback([as_json] { doctor(*as_json); });
}

}  // namespace burnish
