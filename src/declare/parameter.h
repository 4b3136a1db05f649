// A parameter is declared once. Loading, saving, decay, patterns, counts, FLOPs and bytes are
// derived from its declaration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"

namespace burnish {

/// How tensor parallelism splits a parameter.
struct TensorSplit {
  int dim = -1;                   ///< -1: replicated
  std::vector<int64_t> sections;  ///< sizes along `dim` that split one by one (fused q|k|v)
};

/// What a parameter does in the forward pass: decides FLOPs, decay and default LoRA targets.
enum class ParameterRole { embedding, matrix, bias, norm, head };

struct ParameterDeclaration {
  std::string name;            ///< on disk: "model.layers.0.self_attn.q_proj.weight"
  std::vector<int64_t> shape;  ///< as on disk
  int unit = 0;                ///< index into the chain: 0 embedding, 1..L blocks, L + 1 head
  std::string key;             ///< name inside its unit: "self_attn.q_proj.weight"
  ParameterRole role = ParameterRole::matrix;
  bool decays = true;  ///< weight decay applies (transformers' rule: not norms, not biases)
  TensorSplit split;
  int64_t num_elements() const;
};

}  // namespace burnish
