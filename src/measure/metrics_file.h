// metrics.jsonl: one line a step, an evaluation or an answer. docs/run-folder.md explains each key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/file.h"

namespace burnish {

/// One optimizer step. Steps count from 1; a number that is not finite is written as null and read
/// back as NaN.
struct StepLine {
  int64_t step = 0;
  double epoch = 0;          ///< epochs finished after this step, with a fraction
  double loss = 0;           ///< mean over the step's targets
  double learning_rate = 0;  ///< of the default group
  double gradient_norm = 0;  ///< before clipping
  int64_t tokens = 0;        ///< without padding
  int64_t targets = 0;
  int64_t padding_tokens = 0;
  std::vector<int64_t> row_ids;
  double step_s = 0, cpu_s = 0, data_wait_s = 0;
  double rss_mib = 0;
  double time_s = 0;                 ///< realtime at the step's end
  bool skipped = false;              ///< no update: nothing to train on, or not finite
  bool spike = false;                ///< loss or gradient norm stand far above those before
  std::optional<double> loss_scale;  ///< of the step, where there is one (fp16)
  bool operator==(const StepLine&) const = default;
};

/// One evaluation set after `step` steps (0: before training).
struct EvaluationLine {
  int64_t step = 0;
  std::string name;
  double loss = 0;      ///< mean over its targets
  double accuracy = 0;  ///< share of targets that are the most likely token
  int64_t targets = 0;
  bool operator==(const EvaluationLine&) const = default;
};

/// What the model said to a prompt after `step` steps.
struct AnswerLine {
  int64_t step = 0;
  std::string prompt, answer;
  bool operator==(const AnswerLine&) const = default;
};

using MetricLine = std::variant<StepLine, EvaluationLine, AnswerLine>;

/// An object whose `kind` is step, evaluation or answer. Doubles keep their exact value.
nlohmann::ordered_json to_json(const MetricLine& line);
/// As a line of the file, without its line end. Text from a model may end inside a character: such
/// bytes become U+FFFD.
std::string json_line(const MetricLine& line);
/// @throws Error(data) for a missing key, a wrong type or an unknown kind; keys that are not known
/// are passed over.
MetricLine metric_line_from_json(const nlohmann::ordered_json& object);

struct Metrics {
  std::vector<StepLine> steps;
  std::vector<EvaluationLine> evaluations;
  std::vector<AnswerLine> answers;
  bool cut = false;  ///< the last line was cut off and left out (a killed process)
};

/// Reads a file back. Where a run was resumed, a step that was done again replaces the first time
/// and all that followed it; the same evaluation or prompt at the same step replaces the earlier.
/// @throws Error(io); Error(data) with FILE:line for a broken line that is not the last.
Metrics read_metrics(const std::filesystem::path& file);

/// Before a resume: leaves out lines after `step`, and a last line that was cut off. Does nothing
/// where there is no file. @throws as read_metrics
void trim_metrics(const std::filesystem::path& file, int64_t step);

class MetricsWriter {
 public:
  /// Appends to the file; makes it where it is not there.
  explicit MetricsWriter(const std::filesystem::path& file) : file_(file) {}
  void write(const MetricLine& line);

 private:
  AppendFile file_;
};

}  // namespace burnish
