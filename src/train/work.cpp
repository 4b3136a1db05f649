#include "train/work.h"

namespace burnish {

double step_flops(const ModelDeclaration& declaration, const StepBatches& step) {
  const ModelConfig& config = declaration.config;
  double matrix_weights = 0;
  for (const ParameterDeclaration& declared : declaration.parameters)
    if (declared.role == ParameterRole::matrix)
      matrix_weights += static_cast<double>(declared.num_elements());
  const double head_weights = static_cast<double>(config.vocab_size * config.hidden_size);
  double pairs = 0;
  for (const Batch& batch : step.micro_batches)
    pairs += static_cast<double>(batch.segments.causal_pairs());
  return 6.0 * matrix_weights * static_cast<double>(step.tokens) +
         6.0 * head_weights * static_cast<double>(step.targets) +
         12.0 * static_cast<double>(config.num_layers * config.num_heads * config.head_dim) * pairs;
}

}  // namespace burnish
