// GGUF metadata as the config.json that it was made from.
#pragma once

#include <nlohmann/json.hpp>

#include "format/gguf.h"

namespace burnish {

/// `llama.*` and `tokenizer.ggml.*` keys as a config.json that transformers 4 and 5 both load.
/// @throws Error(unsupported) for another architecture or rotary scaling, by name; Error(model) for
/// keys that are missing or contradict the tensors.
nlohmann::ordered_json config_of_gguf(const GgufFile& file);

}  // namespace burnish
