// The trained model as a Hugging Face folder.
#pragma once

#include <filesystem>

#include "engine/model.h"
#include "measure/model_card.h"
#include "text/load.h"

namespace burnish {

/// Writes weights (shards of at most 5 GB), config, generation config, tokenizer, template and
/// README.md into `folder`, aside and renamed. A tensor keeps the dtype that it had on disk (block
/// formats of GGUF become float32) unless it was trained in 16 bits.
/// @param new_eos the run has set what ends an answer: the base's generation config is changed too
void export_model(const std::filesystem::path& folder, const Model& model, const TextFiles& text,
                  const ModelSource& source, const ModelCard& card, bool new_eos = false);

}  // namespace burnish
