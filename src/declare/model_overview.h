// What there is to know about a model's files: of any family, also of those that cannot be trained.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "declare/checkpoint_source.h"
#include "declare/found_tensor.h"
#include "declare/model_config.h"

namespace burnish {

struct TypeTotal {
  int64_t tensors = 0, elements = 0, bytes = 0;
};

struct TextOverview {
  std::optional<int32_t> num_tokens;    ///< nothing: the tokenizer cannot be read
  std::optional<std::string> bos, eos;  ///< as the vocabulary spells them
  bool has_template = false;            ///< a chat template that can be read
  std::vector<std::string> problems;    ///< why not, where something cannot be read
};

struct ModelOverview {
  ModelSource source;
  std::string family;  ///< "llama", "gemma3": model_type, or general.architecture
  /// Sizes by the keys of config.json; those that the file does not tell are left out.
  nlohmann::ordered_json config;
  FoundTensors stored;                     ///< by the names of the file
  std::map<std::string, TypeTotal> types;  ///< by the file's name of the type: "BF16", "Q4_K"
  /// Both there, or neither: the model cannot be trained, and `obstacle` says why.
  std::optional<ModelDeclaration> declaration;
  std::unique_ptr<CheckpointSource> checkpoint;
  std::string obstacle;
  TextOverview text;

  /// Of the declaration; of all tensors where there is none.
  int64_t num_parameters() const;
  int64_t num_bytes() const;
  /// A size by its key of config.json: "hidden_size"; also inside of a text_config.
  std::optional<int64_t> size(const char* key) const;
};

/// @throws Error(model, io) for files that are damaged or no model at all.
ModelOverview overview_of(const ModelSource& source);

/// SHA-256 of `count` float32 values that `read` writes, little-endian, row-major: 64 hex digits.
std::string sha256_of_values(int64_t count, const std::function<void(std::span<float>)>& read);

}  // namespace burnish
