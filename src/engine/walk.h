// The walk along the chain, forward and back, with a detached boundary at each unit: the one place
// that decides what is kept, recomputed or dropped.
#pragma once

#include "data/sample.h"
#include "engine/model.h"

namespace burnish {

enum class Recompute {
  none,  ///< keep each unit's graph until its backward
  unit,  ///< keep each unit's input alone and run its forward again
};

struct WalkResult {
  double loss = 0;  ///< sum over the batch's targets of the cross-entropy, times loss_scale
  int64_t targets = 0, correct = 0;
};

/// Adds the gradients of `batch` to the model's gradient buffers.
/// @param loss_scale 1 / number of targets of the whole step, over all micro-batches.
WalkResult forward_backward(const Model& model, const Batch& batch, double loss_scale,
                            Recompute recompute);

/// Loss alone, without gradients.
WalkResult forward_loss(const Model& model, const Batch& batch, double loss_scale);

/// Logits [T, V] for ids [T], without gradients. With caches: ids continue what they hold.
/// @param last_only logits of the last position alone, [1, V].
at::Tensor forward_logits(const Model& model, const at::Tensor& ids_T, const Segments& segments,
                          std::vector<LayerCache>* caches = nullptr, bool last_only = false);

}  // namespace burnish
