// What a run shows while it goes on and leaves behind when it ends.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>

#include "base/file.h"
#include "base/log.h"
#include "kernel/matrix_rate.h"
#include "measure/process.h"
#include "measure/progress_line.h"
#include "train/export.h"
#include "train/precision.h"
#include "train/trainer.h"
#include "train/work.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

constexpr double kMatrixRateSeconds = 0.2;
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// The lines of one evaluation set, in the order of their steps.
std::vector<EvaluationLine> evaluations_of(const std::string& set, const Metrics& metrics) {
  std::vector<EvaluationLine> lines;
  for (const EvaluationLine& line : metrics.evaluations)
    if (line.name == set) lines.push_back(line);
  return lines;
}

}  // namespace

void Trainer::measure_matrix_rate() {
  matrix_gflops_ =
      measure_matrix_gflops(kMatrixRateSeconds, scalar_type_of(run_.recipe.precision.compute));
}

void Trainer::start_trackers() {
  if (run_.recipe.log.trackers.empty()) return;
  const fs::path logs = run_.folder.path() / "trackers";
  make_folder(logs);
  const nlohmann::ordered_json start{{"kind", "start"},
                                     {"run", run_.folder.path().string()},
                                     {"step", run_.state.step},
                                     {"recipe", run_.state.recipe_yaml}};
  for (const TrackerRecipe& tracker : run_.recipe.log.trackers) {
    const fs::path log = logs / (std::to_string(trackers_.size()) + ".log");
    trackers_.push_back(std::make_unique<Tracker>(tracker.command, log));
    trackers_.back()->send(start.dump());
  }
}

void Trainer::record(const MetricLine& line) {
  metrics_.write(line);
  if (trackers_.empty()) return;
  const std::string text = json_line(line);
  for (const auto& tracker : trackers_) tracker->send(text);
}

void Trainer::end_trackers(const std::string& status, const std::string& reason) {
  nlohmann::ordered_json end{{"kind", "end"}, {"step", run_.state.step}, {"status", status}};
  if (!reason.empty()) end["reason"] = reason;
  const std::string text = end.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (const auto& tracker : trackers_) tracker->send(text);
  for (const auto& tracker : trackers_) tracker->finish();
}

void Trainer::show_progress(const StepLine& line) {
  const auto columns = terminal_columns(2);
  const int64_t every = run_.recipe.log.every_steps;
  if (request_.quiet) return;
  if (!columns) {
    if (every > 0 && line.step % every == 0)
      log_info(
          "step " + std::to_string(line.step) + ": loss " + std::to_string(line.loss) +
          ", gradient norm " + std::to_string(line.gradient_norm) + ", " +
          std::to_string(static_cast<int64_t>(static_cast<double>(line.tokens) / line.step_s)) +
          " tokens/s");
    return;
  }
  Progress progress;
  progress.step = line.step;
  progress.total_steps = run_.length.total_steps;
  progress.done = done_share();
  progress.loss = line.loss;
  progress.learning_rate = line.learning_rate;
  progress.tokens_per_s = clock_.recent_tokens_per_s();
  if (matrix_gflops_ > 0)
    progress.matrix_rate_share = last_flops_ / line.step_s / (matrix_gflops_ * 1e9);
  progress.rss_mib = line.rss_mib;
  progress.time_left_s = time_left_s(clock_.elapsed_s(), progress.done, done_at_begin_);
  const std::string text = progress_line(progress, *columns);
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  progress_shown_ = true;
}

void Trainer::end_progress() {
  if (progress_shown_) std::fputs("\r\033[K", stderr);
  progress_shown_ = false;
}

bool Trainer::load_best() {
  if (!run_.recipe.evaluation.keep_best || run_.state.best_step < 0) return false;
  const fs::path best = CheckpointFolder(run_.folder.best()).of_step(run_.state.best_step);
  if (!fs::exists(best)) {  // an earlier process went past it and was killed
    log_warning("the best weights, of step " + std::to_string(run_.state.best_step) +
                ", are not there any more: the last ones are exported");
    return false;
  }
  load_checkpoint(best, *run_.model, nullptr);
  log_info("exporting the best weights, of step " + std::to_string(run_.state.best_step));
  return true;
}

void Trainer::export_result() {
  end_progress();
  const bool exports_best = load_best();
  // of the whole run, also what an earlier process measured
  const Metrics metrics = read_metrics(run_.folder.metrics());
  ModelCard card;
  card.name = fs::path(run_.recipe.output).filename().string();
  card.base_model =
      run_.source.repository.empty() ? run_.recipe.model.source : run_.source.repository;
  card.base_revision = run_.recipe.model.revision;
  for (const DataSource& source : run_.recipe.data.train)
    card.data.push_back({source.source, run_.data.sha256});
  card.recipe_yaml = run_.state.recipe_yaml;
  for (const EvaluationSet& set : run_.data.evaluation) {
    const std::vector<EvaluationLine> lines = evaluations_of(set.name, metrics);
    if (lines.empty()) continue;
    auto exported = std::prev(lines.end());
    if (exports_best)
      exported = std::find_if(lines.begin(), exported, [&](const EvaluationLine& line) {
        return line.step == run_.state.best_step;
      });
    card.evaluations.push_back({set.name, lines.front().loss, exported->loss});
  }
  card.first_loss = metrics.steps.empty() ? kNotMeasured : metrics.steps.front().loss;
  card.final_loss = metrics.steps.empty() ? kNotMeasured : metrics.steps.back().loss;
  card.steps = run_.state.step;
  card.tokens = run_.state.tokens;
  card.targets = run_.state.targets;
  card.versions = {{"burnish", BURNISH_VERSION}};
  card.date = utc_now().substr(0, 10);
  export_model(run_.folder.model(), *run_.model, run_.text, run_.source, card, run_.new_eos);
}

TrainSummary Trainer::summary() {
  const Throughput throughput = clock_.summary();
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  TrainSummary json;
  json["run"] = run_.folder.path().string();
  json["model"] = run_.folder.model().string();
  json["steps"] = run_.state.step;
  json["tokens"] = nlohmann::ordered_json::array();
  json["targets"] = nlohmann::ordered_json::array();
  json["losses"] = nlohmann::ordered_json::array();
  for (const StepLine& line : lines_) {
    json["tokens"].push_back(line.tokens);
    json["targets"].push_back(line.targets);
    json["losses"].push_back(line.loss);
  }
  json["tokens_per_s"] = or_null(throughput.tokens_per_s);
  json["cpu_s_per_token"] = or_null(throughput.cpu_s_per_token);
  json["data_wait_share"] = or_null(throughput.data_wait_share);
  json["startup_s"] = or_null(throughput.startup_s);
  json["peak_rss_mib"] = throughput.peak_rss_mib;
  json["train_seconds"] = run_.state.train_seconds;
  json["matrix_gflops"] = matrix_gflops_;
  json["parameters"] = run_.model->declaration.num_parameters();
  json["trained_parameters"] = run_.model->parameters->num_trained();
  for (const EvaluationLine& line : evaluations_) json["evaluations"].push_back(to_json(line));
  for (const AnswerLine& line : answers_) json["answers"].push_back(to_json(line));
  const DataCounts& c = run_.data.counts;
  json["data"] = {{"samples", c.samples},
                  {"tokens", c.tokens},
                  {"targets", c.targets},
                  {"bad_lines", c.bad_lines},
                  {"samples_dropped_without_target", c.samples_dropped_without_target},
                  {"samples_dropped_overlong", c.samples_dropped_overlong},
                  {"samples_truncated", c.samples_truncated},
                  {"samples_split", c.samples_split},
                  {"tokens_dropped_without_target", c.tokens_dropped_without_target},
                  {"tokens_dropped_overlong", c.tokens_dropped_overlong},
                  {"tokens_truncated", c.tokens_truncated},
                  {"sha256", run_.data.sha256}};
  write_text_file(run_.folder.summary(), json.dump(2) + "\n");
  const double seconds = run_.state.train_seconds;
  char text[160];
  std::snprintf(text, sizeof text, "%lld steps in %.1f s (%.3f s/step), final loss %.4f",
                static_cast<long long>(run_.state.step), seconds,
                run_.state.step > 0 ? seconds / static_cast<double>(run_.state.step) : 0.0,
                lines_.empty() ? kNotMeasured : lines_.back().loss);
  log_info(text);
  return json;
}

}  // namespace burnish
