#include "declare/gguf_sizes.h"

#include <array>
#include <utility>

namespace burnish {
namespace {

// config.json's key, and GGUF's behind the name of the architecture.
constexpr std::array<std::pair<const char*, const char*>, 9> kKeys = {
    {{"vocab_size", "vocab_size"},
     {"hidden_size", "embedding_length"},
     {"intermediate_size", "feed_forward_length"},
     {"num_hidden_layers", "block_count"},
     {"num_attention_heads", "attention.head_count"},
     {"num_key_value_heads", "attention.head_count_kv"},
     {"head_dim", "attention.key_length"},
     {"max_position_embeddings", "context_length"},
     {"num_experts", "expert_count"}}};

}  // namespace

nlohmann::ordered_json sizes_of_gguf(const GgufFile& file) {
  const std::string& architecture = file.need<std::string>("general.architecture");
  nlohmann::ordered_json sizes = {{"model_type", architecture}};
  for (const auto& [key, gguf_key] : kKeys) {
    const auto found = file.metadata().find(architecture + "." + gguf_key);
    if (found == file.metadata().end()) continue;
    if (const auto* value = std::get_if<int64_t>(&found->second)) sizes[key] = *value;
  }
  const auto embedding = file.tensors().find("token_embd.weight");
  if (!sizes.contains("vocab_size") && embedding != file.tensors().end() &&
      !embedding->second.shape.empty())
    sizes["vocab_size"] = embedding->second.shape.front();
  return sizes;
}

}  // namespace burnish
