// All that a run needs before its first step: recipe, model, text, data, optimizer.
#pragma once

#include <memory>

#include "engine/model.h"
#include "engine/walk.h"
#include "engine_door.h"
#include "text/load.h"
#include "train/checkpoint.h"
#include "train/optimizer.h"
#include "train/run_folder.h"
#include "train/run_length.h"
#include "train/training_data.h"

namespace burnish {

struct Run {
  Recipe recipe;  ///< resolved: data.date is set
  ModelSource source;
  std::unique_ptr<Model> model;
  TextFiles text;
  bool new_eos = false;  ///< the recipe sets what ends an answer
  TrainingData data;
  RunFolder folder;
  std::unique_ptr<Optimizer> optimizer;
  RunLength length;
  TrainState state;
};

/// Refuses all that can be refused before it writes anything; then opens the run folder, writes
/// recipe.yaml and environment.json, and with `resume` loads the newest checkpoint.
Run set_up(const TrainRequest& request);

}  // namespace burnish
