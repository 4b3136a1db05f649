// The run: steps, evaluations, checkpoints, the end.
#pragma once

#include <memory>
#include <vector>

#include "format/tensorboard.h"
#include "generate/generator.h"
#include "measure/metrics_file.h"
#include "measure/step_clock.h"
#include "measure/tracker.h"
#include "train/loss_scale.h"
#include "train/setup.h"
#include "train/spike.h"

namespace burnish {

class Trainer {
 public:
  explicit Trainer(const TrainRequest& request);
  /// Trains to the end and exports. @throws Error(interrupted) after an interrupt, with the state
  /// saved; Error(not_finite) after ten steps in a row without a finite gradient; Error(spike).
  TrainSummary run();

 private:
  void train_steps();
  void decide_batching();
  StepLine step(const StepBatches& batches);
  void run_passes(const StepBatches& batches, double scale, StepLine& line);
  void run_passes_in_memory(const StepBatches& batches, double scale, StepLine& line);
  void step_down(int64_t step);
  bool skips_spike(StepLine& line);
  void name_rows(size_t count);
  void resume_health();
  void check_health(const StepLine& line);
  bool ended() const;
  void start_trackers();
  void record(const MetricLine& line);
  void end_trackers(const std::string& status, const std::string& reason);
  void write(const StepLine& line);
  void after_step(const StepLine& line);
  void evaluate_all();
  void note_gain(const EvaluationLine& first);
  void answer_prompts();
  void measure_matrix_rate();
  void save_checkpoint();
  bool load_best();  ///< true: the weights are now those of the best step
  void export_result();
  void show_progress(const StepLine& line);
  void end_progress();
  double done_share() const;
  TrainSummary summary();

  TrainRequest request_;
  Run run_;
  MetricsWriter metrics_;
  TensorBoardWriter tensorboard_;
  std::vector<std::unique_ptr<Tracker>> trackers_;
  StepClock clock_;
  LossScale loss_scale_;
  std::unique_ptr<Generator> generator_;
  std::vector<StepLine> lines_;
  std::vector<EvaluationLine> evaluations_;
  std::vector<AnswerLine> answers_;
  SpikeDetector spikes_;
  int64_t skipped_in_a_row_ = 0;
  double done_at_begin_ = 0;
  double matrix_gflops_ = 0, last_flops_ = 0;
  bool progress_shown_ = false;
};

/// A whole run; Ctrl-C and SIGTERM end it between steps, saved.
TrainSummary train(const TrainRequest& request);

}  // namespace burnish
