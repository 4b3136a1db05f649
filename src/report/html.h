// report.html: a run on one page that needs no network and no script.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "measure/metrics_file.h"

namespace burnish {

/// What a report is made of; anything may be empty.
struct ReportInput {
  std::string title;
  std::string recipe_yaml;
  Metrics metrics;
  nlohmann::ordered_json environment;  ///< environment.json; null where there is none
  nlohmann::ordered_json summary;      ///< summary.json; null: the run did not end
};

/// The page. Any text may stand in the input: it is escaped, and the page's own policy forbids
/// scripts and every load.
std::string html_report(const ReportInput& input);

/// Reads recipe.yaml and, where they are there, metrics.jsonl, environment.json and summary.json of
/// a run folder, and writes report.html into it.
/// @throws Error(io) where there is no recipe.yaml or no room; Error(data) for a broken file
void write_report(const std::filesystem::path& run_folder);

}  // namespace burnish
