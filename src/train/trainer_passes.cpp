// The passes of a step: how its rows are cut, and what becomes of it when memory runs out.
#include "base/error.h"
#include "base/log.h"
#include "base/readable.h"
#include "engine/out_of_memory.h"
#include "engine/walk.h"
#include "train/auto_batch.h"
#include "train/trainer.h"

namespace burnish {

// Decided once, since the cut decides the rounding: a resumed run keeps that of its start.
void Trainer::decide_batching() {
  if (!is_auto_batch(run_.recipe.train) || run_.state.shared_tokens > 0) return;
  const AutoBatch batch = auto_batch(*run_.model, run_.recipe);
  run_.state.shared_tokens = batch.shared_tokens;
  if (!batch.warning.empty()) log_warning(batch.warning);
}

// Loss and gradients of the step, from nothing: it can be done again.
void Trainer::run_passes(const StepBatches& batches, double scale, StepLine& line) {
  const bool stepped_down = run_.state.stepped_down;
  const Recompute recompute =
      stepped_down || run_.recipe.memory.recompute == "unit" ? Recompute::unit : Recompute::none;
  const std::vector<Batch> rows =
      stepped_down ? one_row_each(batches.micro_batches) : std::vector<Batch>();
  const double loss_weight =
      batches.targets > 0 ? scale / static_cast<double>(batches.targets) : 0.0;
  line.loss = 0;
  line.row_ids.clear();
  run_.model->parameters->zero_gradients();
  for (const Batch& batch : stepped_down ? rows : batches.micro_batches) {
    line.loss += forward_backward(*run_.model, batch, loss_weight, recompute).loss / scale;
    line.row_ids.insert(line.row_ids.end(), batch.row_ids.begin(), batch.row_ids.end());
  }
}

void Trainer::run_passes_in_memory(const StepBatches& batches, double scale, StepLine& line) {
  while (true) {
    try {
      return run_passes(batches, scale, line);
    } catch (const std::exception& failure) {
      if (!is_out_of_memory(failure)) throw;
    }
    step_down(line.step);
  }
}

void Trainer::step_down(int64_t step) {
  const bool is_auto = is_auto_batch(run_.recipe.train);
  if (!is_auto || run_.state.stepped_down)
    throw Error(ErrorCode::memory, "out of memory", step_text(step),
                is_auto ? "Lower data.sequence_length, or train less with model.trainable"
                        : "Leave train.micro_batch_rows at auto, set memory.recompute: unit, or "
                          "lower data.sequence_length");
  run_.state.stepped_down = true;
  end_progress();
  log_warning(step_text(step) +
              ": out of memory; from here on each pass takes one row and computes activations "
              "again (memory.recompute: unit). The result is the same but for rounding");
}

}  // namespace burnish
