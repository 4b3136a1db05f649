// Names of llama tensors in GGUF, and the row order that its converters gave q and k.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace burnish {

/// "blk.3.ffn_up.weight" -> "model.layers.3.mlp.up_proj.weight"; nothing for other names.
std::optional<std::string> hf_name_of_gguf(const std::string& name);

/// GGUF's rope turns neighbours (2j, 2j + 1) of a head, transformers' the halves (j, D/2 + j): the
/// converters moved row s * D/2 + j of each head to 2j + s. @returns the row of the GGUF tensor
/// that holds row `row` of the Hugging Face one.
inline int64_t gguf_row_of(int64_t row, int64_t head_dim) {
  const int64_t head = row / head_dim, within = row % head_dim;
  const int64_t half = within / (head_dim / 2), pair = within % (head_dim / 2);
  return head * head_dim + 2 * pair + half;
}

}  // namespace burnish
