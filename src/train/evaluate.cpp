#include "train/evaluate.h"

#include "engine/walk.h"

namespace burnish {

EvaluationLine evaluate(const Model& model, const EvaluationSet& set, int64_t step) {
  WalkResult sum;
  for (const Batch& batch : set.batches.micro_batches) {
    const WalkResult part = forward_loss(model, batch, 1.0);
    sum.loss += part.loss;
    sum.targets += part.targets;
    sum.correct += part.correct;
  }
  const auto targets = static_cast<double>(sum.targets);
  return {step, set.name, sum.loss / targets, static_cast<double>(sum.correct) / targets,
          sum.targets};
}

}  // namespace burnish
