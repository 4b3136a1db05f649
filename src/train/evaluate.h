// Loss and accuracy over an evaluation set.
#pragma once

#include "engine/model.h"
#include "measure/metrics_file.h"
#include "train/training_data.h"

namespace burnish {

/// Token mean over all targets of the set, whatever the micro-batches.
EvaluationLine evaluate(const Model& model, const EvaluationSet& set, int64_t step);

}  // namespace burnish
