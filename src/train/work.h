// Floating-point work of a step, for the share of the processor's own rate that a run uses.
#pragma once

#include "data/sample.h"
#include "declare/model_config.h"

namespace burnish {

/// FLOPs that forward and backward of these batches need: 6 for each weight of a matrix and token
/// (the head: for each target), 12 H D for each attended pair of tokens and layer. Recomputation is
/// not counted.
double step_flops(const ModelDeclaration& declaration, const StepBatches& step);

}  // namespace burnish
