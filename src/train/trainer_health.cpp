// What a run does about steps that go wrong: gradients that are not finite, and spikes.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/log.h"
#include "base/readable.h"
#include "train/trainer.h"

namespace burnish {
namespace {

constexpr int64_t kSkippedLimit = 10;

std::string formatted(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string places_of(const Row& row) {
  std::string places;
  for (const SourceLine& source : row.sources)
    places += (places.empty() ? "" : ", ") + place_of(source);
  return places;
}

}  // namespace

bool Trainer::skips_spike(StepLine& line) {
  const auto spike = spikes_.look(line.loss, line.gradient_norm);
  if (!spike) return false;
  line.spike = true;
  end_progress();
  log_warning(step_text(line.step) + ": " + *spike + "; its rows and the loss of each:");
  clock_.outside([&] { name_rows(line.row_ids.size()); });
  const std::string& action = run_.recipe.train.on_spike;
  if (action == "stop") {
    save_checkpoint();
    throw Error(ErrorCode::spike, *spike + "; the state before this step is saved",
                step_text(line.step),
                "Look at its rows, then go on with --resume and train.on_spike: skip, or warn");
  }
  return action == "skip";
}

// The rows of the step that is under way, made again from where the stream stood before it.
void Trainer::name_rows(size_t count) {
  RowStream& stream = run_.data.stream;
  stream.restore(run_.state.stream);
  for (size_t i = 0; i < count; ++i) {
    const Row row = stream.next();
    const int64_t targets = row.num_targets();
    const std::string places = places_of(row);
    const StepBatches alone = make_step({row}, {.global_batch_rows = 1});
    const double loss = targets == 0 ? 0.0
                                     : forward_loss(*run_.model, alone.micro_batches.front(),
                                                    1.0 / static_cast<double>(targets))
                                           .loss;
    log_warning("  row " + std::to_string(row.id) + ": loss " + formatted("%.4f", loss) + " over " +
                std::to_string(targets) + " targets: " + places);
  }
}

void Trainer::resume_health() {
  loss_scale_.restore(run_.state.loss_scale, run_.state.steps_since_loss_scale_change);
  for (const StepLine& line : read_metrics(run_.folder.metrics()).steps)
    if (!line.skipped) spikes_.add(line.loss, line.gradient_norm);
}

void Trainer::check_health(const StepLine& line) {
  if (line.targets == 0) {
    log_warning(step_text(line.step) + ": no target in its rows; there was no update");
    return;
  }
  const bool not_finite = !std::isfinite(line.gradient_norm);
  // a scale that can still fall is expected to overflow: the loss itself tells a real fault
  const bool halved = loss_scale_.after_step(not_finite);
  run_.state.loss_scale = loss_scale_.value();
  run_.state.steps_since_loss_scale_change = loss_scale_.steps_since_change();
  if (not_finite)
    log_warning(
        step_text(line.step) + ": the gradient is not finite; the update was skipped" +
        (halved ? ", the loss scale falls to " + formatted("%g", loss_scale_.value()) : ""));
  if (!line.skipped) spikes_.add(line.loss, line.gradient_norm);
  const bool counts = line.skipped && !(halved && std::isfinite(line.loss));
  skipped_in_a_row_ = counts ? skipped_in_a_row_ + 1 : 0;
  if (skipped_in_a_row_ < kSkippedLimit) return;
  const std::string last = "the last " + std::to_string(kSkippedLimit) + " steps ";
  if (not_finite)
    throw Error(ErrorCode::not_finite, last + "had no finite gradient", step_text(line.step),
                "Lower optimizer.learning_rate or go back to a checkpoint");
  throw Error(ErrorCode::spike, last + "were skipped as spikes", step_text(line.step),
              "Lower optimizer.learning_rate, or set train.on_spike: warn");
}

}  // namespace burnish
