// What a forward and backward pass keeps in memory, from the declaration alone.
#pragma once

#include <cstdint>

#include "declare/model_config.h"

namespace burnish {

struct PassOptions {
  int64_t element_bytes = 4;  ///< of the hidden states: 4 in fp32, 2 in bf16 and fp16
  bool recompute = false;     ///< a block keeps its input alone
  int lowest_trained_unit = 0;
};

/// At the peak of a pass, which is where the last block's gradients meet all that is kept.
struct PassMemory {
  double bytes_per_token = 0;
  double fixed_bytes = 0;  ///< whatever the number of tokens: the head's chunk of logits

  double bytes(int64_t tokens) const {
    return fixed_bytes + bytes_per_token * static_cast<double>(tokens);
  }
};

/// Weights, gradients, moments and buffers of the matrix library are not counted. fp64, which is
/// for checking, keeps more: its operations are not fused.
PassMemory pass_memory(const ModelDeclaration& declaration, const PassOptions& options);

}  // namespace burnish
