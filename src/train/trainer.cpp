#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/readable.h"
#include "data/prefetch.h"
#include "engine/walk.h"
#include "measure/process.h"
#include "train/auto_batch.h"
#include "train/evaluate.h"
#include "train/schedule.h"
#include "train/work.h"

namespace burnish {
Trainer::Trainer(const TrainRequest& request)
    : request_(request),
      run_(set_up(request)),
      metrics_(run_.folder.metrics()),
      tensorboard_(run_.folder.tensorboard(), run_.state.step + 1),
      clock_(request.process_start_s),
      loss_scale_(run_.recipe.precision) {
  if (run_.state.step > 0) resume_health();
  decide_batching();
  done_at_begin_ = done_share();
  if (!run_.recipe.evaluation.prompts.empty())
    generator_ = std::make_unique<Generator>(*run_.model, run_.text);
  start_trackers();
}

TrainSummary Trainer::run() {
  try {
    if (run_.state.step == 0 && run_.recipe.evaluation.at_start) evaluate_all();
    train_steps();
    export_result();
    end_trackers("finished", "");
    return summary();
  } catch (const Error& error) {
    end_progress();
    run_.folder.record_failure(error, run_.state.step);
    end_trackers(error.code() == ErrorCode::interrupted ? "interrupted" : "failed", error.what());
    throw;
  }
}

void Trainer::train_steps() {
  if (ended()) return;
  BatchOptions batching = batch_options(run_.recipe);
  if (is_auto_batch(run_.recipe.train)) batching.shared_tokens = run_.state.shared_tokens;
  StepPrefetcher prefetcher(run_.data.stream, batching);
  while (!ended()) {
    clock_.begin_step();
    const PreparedStep prepared = clock_.wait_for_data([&] { return prefetcher.next(); });
    StepLine line = step(prepared.batches);
    const StepTimes times = clock_.end_step(line.tokens);
    line.step_s = times.step_s;
    line.cpu_s = times.cpu_s;
    line.data_wait_s = times.data_wait_s;
    line.rss_mib = rss_mib();
    line.time_s = realtime_s();

    run_.state.stream = prepared.state_after;
    run_.state.step = line.step;
    run_.state.updates = run_.optimizer->updates();
    run_.state.tokens += line.tokens;
    run_.state.targets += line.targets;
    run_.state.train_seconds += line.step_s;
    const double epoch_rows = static_cast<double>(run_.length.steps_per_epoch);
    line.epoch = static_cast<double>(line.step) / epoch_rows;
    write(line);
    after_step(line);
  }
}

// The count of targets is known before the first forward: one division for the whole step.
StepLine Trainer::step(const StepBatches& batches) {
  const int64_t index = run_.state.step;
  const int64_t total = run_.length.total_steps.value_or(index + 1);
  StepLine line;
  line.step = index + 1;
  line.tokens = batches.tokens;
  line.targets = batches.targets;
  line.padding_tokens = batches.padding_tokens;
  line.learning_rate =
      learning_rate_at(run_.recipe.optimizer, run_.recipe.optimizer.learning_rate, index, total);
  const double scale = loss_scale_.value();
  run_passes_in_memory(batches, scale, line);
  last_flops_ = step_flops(run_.model->declaration, batches);
  if (batches.targets == 0) {
    line.skipped = true;
    return line;
  }
  if (loss_scale_.in_use()) line.loss_scale = scale;
  line.gradient_norm = run_.optimizer->gradient_norm(scale);
  line.skipped = !std::isfinite(line.gradient_norm) || skips_spike(line);
  if (!line.skipped) run_.optimizer->update(index, total, line.gradient_norm, scale);
  return line;
}

void Trainer::after_step(const StepLine& line) {
  check_health(line);
  if (line.step == 1 || lines_.size() == 1) clock_.outside([&] { measure_matrix_rate(); });

  const EvaluationRecipe& evaluation = run_.recipe.evaluation;
  if (ended() || (evaluation.every_steps > 0 && line.step % evaluation.every_steps == 0))
    evaluate_all();
  const int64_t every = run_.recipe.checkpoint.every_steps;
  if (every > 0 && (line.step % every == 0 || ended())) save_checkpoint();
  show_progress(line);
  if (interrupted() != 0) {
    save_checkpoint();
    throw Error(ErrorCode::interrupted, "stopped after " + step_text(line.step) + "; it is saved",
                run_.folder.path().string(), "Go on with: burnish train RECIPE --resume");
  }
}

bool Trainer::ended() const {
  const TrainEnd& end = run_.recipe.train.end;
  const auto patience = run_.recipe.evaluation.stop_after_evaluations_without_gain;
  return (run_.length.total_steps && run_.state.step >= *run_.length.total_steps) ||
         (end.tokens && run_.state.tokens >= *end.tokens) ||
         (end.seconds && run_.state.train_seconds >= *end.seconds) ||
         (patience && run_.state.evaluations_without_gain >= *patience);
}

double Trainer::done_share() const {
  const TrainEnd& end = run_.recipe.train.end;
  double share = 0;
  if (run_.length.total_steps)
    share = static_cast<double>(run_.state.step) / static_cast<double>(*run_.length.total_steps);
  if (end.seconds) share = std::max(share, run_.state.train_seconds / *end.seconds);
  return std::min(1.0, share);
}

void Trainer::write(const StepLine& line) {
  record(line);
  tensorboard_.scalars(line.step, line.time_s,
                       {{"train/loss", line.loss},
                        {"train/learning_rate", line.learning_rate},
                        {"train/gradient_norm", line.gradient_norm},
                        {"train/tokens_per_s", static_cast<double>(line.tokens) / line.step_s}});
  lines_.push_back(line);
}

void Trainer::evaluate_all() {
  clock_.outside([&] {
    for (const EvaluationSet& set : run_.data.evaluation) {
      const EvaluationLine line = evaluate(*run_.model, set, run_.state.step);
      record(line);
      tensorboard_.scalars(line.step, realtime_s(),
                           {{"evaluation/" + line.name + "/loss", line.loss},
                            {"evaluation/" + line.name + "/accuracy", line.accuracy}});
      end_progress();
      log_info(step_text(line.step) + ": " + line.name + " loss " + std::to_string(line.loss) +
               ", accuracy " + std::to_string(line.accuracy));
      if (&set == &run_.data.evaluation.front()) note_gain(line);
      evaluations_.push_back(line);
    }
    answer_prompts();
  });
}

// The first evaluation set (by name) decides what is best.
void Trainer::note_gain(const EvaluationLine& first) {
  TrainState& state = run_.state;
  if (state.best_loss && !(first.loss < *state.best_loss)) {
    ++state.evaluations_without_gain;
    return;
  }
  state.best_loss = first.loss;
  state.best_step = first.step;
  state.evaluations_without_gain = 0;
  if (run_.recipe.evaluation.keep_best) {
    make_folder(run_.folder.best());
    CheckpointFolder(run_.folder.best()).save(state, *run_.model, nullptr, 1);
  }
}

void Trainer::answer_prompts() {
  if (!generator_) return;
  generator_->forget();
  SamplingOptions sampling;
  sampling.max_tokens = run_.recipe.evaluation.prompt_tokens;
  for (const std::string& prompt : run_.recipe.evaluation.prompts) {
    const nlohmann::ordered_json messages{{{"role", "user"}, {"content", prompt}}};
    const AnswerLine line{run_.state.step, prompt, generator_->answer(messages, sampling, {})};
    record(line);
    log_info(step_text(line.step) + ": \"" + line.prompt + "\" -> \"" + line.answer + "\"");
    answers_.push_back(line);
  }
}

void Trainer::save_checkpoint() {
  clock_.outside([&] {
    CheckpointFolder(run_.folder.checkpoints())
        .save(run_.state, *run_.model, run_.optimizer.get(), run_.recipe.checkpoint.keep);
  });
}

TrainSummary train(const TrainRequest& request) {
  watch_for_interrupt();
  Trainer trainer(request);
  return trainer.run();
}

}  // namespace burnish
