// The sections of report.html, each a pure function from the run's files to HTML; empty where the
// run has nothing to show.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "measure/metrics_file.h"

namespace burnish {

/// The figures that answer "did it work, how fast, how much": losses before and after, tokens/s,
/// time a step, memory.
std::string tiles_html(const Metrics& metrics, const nlohmann::ordered_json& summary);

/// Loss, evaluation losses, learning rate, gradient norm, tokens/s by step.
std::string charts_html(const Metrics& metrics);

/// For each prompt the first and the last answer side by side.
std::string answers_html(const Metrics& metrics);

/// First and last loss and accuracy of each evaluation set.
std::string evaluations_html(const Metrics& metrics);

/// Totals over the step lines: tokens, targets, padding, skipped steps.
std::string data_html(const Metrics& metrics, const nlohmann::ordered_json& summary);

/// Every number, text and list of a JSON object as a two-column table, nested keys as "a.b"; long
/// lists by their length.
std::string json_table_html(const nlohmann::ordered_json& object);

}  // namespace burnish
