// The llama family: LlamaForCausalLM.
#pragma once

#include "declare/model_config.h"

namespace burnish {

/// Keys and their defaults as transformers' LlamaConfig; sizes must be there.
ModelConfig parse_llama_config(const nlohmann::ordered_json& json, const std::string& where);

/// Embedding, blocks, final norm and head, in the order of the chain.
std::vector<ParameterDeclaration> declare_llama(const ModelConfig& config);

}  // namespace burnish
