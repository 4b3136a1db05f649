// `burnish model run`: a batch in a file through the model, so that it can be held against another.
#pragma once

#include "engine_door.h"

namespace burnish {

/// Input tensors: input_ids [B, N] or [T]; cu_seqlens [S + 1] (one row) or attention_mask [B, N];
/// labels like input_ids, unshifted, -100: none. Output: logits [B, N, V] or [T, V] (zero where the
/// mask is 0), loss (mean over targets), targets, and with `gradients` each parameter's gradient by
/// its name on disk. @throws Error(data) for a missing or ill-shaped input tensor.
void run_model_file(const RunModelRequest& request);

}  // namespace burnish
