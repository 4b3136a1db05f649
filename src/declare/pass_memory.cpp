// E embedding, H query heads, K key-value heads, D head dimension, I MLP width, L blocks,
// V vocabulary: numbers of elements for one token.
#include "declare/pass_memory.h"

#include <algorithm>

namespace burnish {
namespace {

constexpr double kLogitsChunkBytes = 32 << 20;

struct Elements {
  double kept = 0;      ///< from a block's forward to its backward
  double backward = 0;  ///< more than that while its MLP's gradients are made
};

// Of the llama family's block: its input, both norms' outputs and the sum between them; q, k, v and
// what attention made of them; gate, up and their product. Backward: the gradients of the three.
Elements block_elements(const ModelConfig& config) {
  const auto E = static_cast<double>(config.hidden_size);
  const auto HD = static_cast<double>(config.num_heads * config.head_dim);
  const auto KD = static_cast<double>(config.num_kv_heads * config.head_dim);
  const auto I = static_cast<double>(config.intermediate_size);
  return {4 * E + 2 * HD + 2 * KD + 3 * I, 2 * E + 3 * I};
}

}  // namespace

PassMemory pass_memory(const ModelDeclaration& declaration, const PassOptions& options) {
  const ModelConfig& config = declaration.config;
  const auto E = static_cast<double>(config.hidden_size);
  const auto V = static_cast<double>(config.vocab_size);
  const int64_t frozen = std::max<int64_t>(options.lowest_trained_unit - 1, 0);
  const auto blocks = static_cast<double>(std::max<int64_t>(config.num_layers - frozen, 0));
  const Elements block = block_elements(config);
  const double kept = options.recompute ? blocks * E + block.kept : blocks * block.kept;
  const double head = 3 * E;  // its input, the norm's output, and their gradient
  PassMemory memory;
  memory.bytes_per_token =
      (kept + block.backward + head) * static_cast<double>(options.element_bytes);
  memory.fixed_bytes = std::max(kLogitsChunkBytes, V * 4);
  return memory;
}

}  // namespace burnish
