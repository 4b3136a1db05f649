// Checkpoints of a run: a folder written aside, synced, renamed; its hashes are checked on reading.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "data/row_stream.h"
#include "engine/model.h"
#include "train/optimizer.h"

namespace burnish {

/// What besides weights and moments a run needs to go on.
struct TrainState {
  int64_t step = 0;  ///< steps done
  int64_t updates = 0;
  int64_t tokens = 0, targets = 0;
  double train_seconds = 0;  ///< step time so far, evaluation left out
  StreamState stream;
  std::optional<double> best_loss;  ///< of the first evaluation set
  int64_t best_step = -1;
  int64_t evaluations_without_gain = 0;
  double loss_scale = 1;  ///< fp16
  int64_t steps_since_loss_scale_change = 0;
  int64_t shared_tokens = 0;  ///< of train.micro_batch_rows: auto; 0: not decided yet
  bool stepped_down = false;  ///< memory ran out once: one row a pass, and recomputation
  std::string recipe_yaml;    ///< resolved
  std::string data_sha256;
};

nlohmann::ordered_json to_json(const TrainState& state);
/// @throws Error(model) with `where` for a missing or ill-typed field.
TrainState train_state_from_json(const nlohmann::ordered_json& json, const std::string& where);

class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Writes `step-00000012` and then removes all but the newest `keep`. A crash at any byte leaves
  /// the older ones whole. Without an optimizer it holds the weights alone.
  void save(const TrainState& state, const Model& model, Optimizer* optimizer, int64_t keep) const;

  /// The newest checkpoint, nullopt if there is none. Half-written ones are ignored and removed.
  std::optional<std::filesystem::path> newest() const;

  /// Where the checkpoint of a step stands, whether it is there or not.
  std::filesystem::path of_step(int64_t step) const;

 private:
  std::filesystem::path folder_;
};

/// Verifies the hashes, then fills weights and the optimizer's state. Without an optimizer: weights
/// alone, converted where they are of another type. @throws Error(model) for a file that is not
/// what was written, naming it, and for tensors that do not fit.
TrainState load_checkpoint(const std::filesystem::path& checkpoint, Model& model,
                           Optimizer* optimizer);

}  // namespace burnish
