// A checkpoint's config.json, of transformers 4 and 5 and of GGUF metadata, as plain values.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "declare/parameter.h"
#include "hub/source.h"

namespace burnish {

/// Rotary embedding. Kinds other than those listed are refused by name.
struct RopeConfig {
  enum class Kind { standard, llama3 } kind = Kind::standard;
  double theta = 10000.0;
  double factor = 1.0, low_freq_factor = 1.0, high_freq_factor = 4.0;
  int64_t original_max_position_embeddings = 0;
  /// One inverse frequency for each pair of dimensions, head_dim / 2 of them: computed in float32
  /// with the operations of transformers, then widened, so that angles agree at long positions.
  std::vector<double> inverse_frequencies(int64_t head_dim) const;
};

struct ModelConfig {
  std::string model_type;  ///< "llama"
  int64_t vocab_size = 0, hidden_size = 0, intermediate_size = 0;
  int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0, head_dim = 0;
  int64_t max_position_embeddings = 0;
  double rms_norm_eps = 1e-6;
  RopeConfig rope;
  bool attention_bias = false, mlp_bias = false;
  bool tied_embeddings = false;
  std::optional<int64_t> pad_token_id;  ///< this row gets no gradient through the lookup
  std::optional<int64_t> bos_token_id;
  std::vector<int64_t> eos_token_ids;
  std::optional<DType> dtype;          ///< as the config says
  nlohmann::ordered_json source_json;  ///< config.json as it was read (or made from GGUF metadata)
};

/// Advice where another family is refused.
inline constexpr const char* kTrainableFamilies = "Families that can be trained: llama";

/// @throws Error(unsupported) for an architecture, activation or rope kind that is not there, by
/// name; Error(model) for a missing key or an impossible value.
ModelConfig parse_config(const nlohmann::ordered_json& json, const std::string& where);
ModelConfig load_config(const ModelSource& source);

/// `id` ends an answer; what ended one before still does.
void set_eos(ModelConfig& config, int64_t id);
/// The model with an embedding and a head of that many rows.
void set_vocab_size(ModelConfig& config, int64_t vocab_size);

/// What this kind of model is made of.
struct ModelDeclaration {
  ModelConfig config;
  std::vector<ParameterDeclaration> parameters;  ///< in the order of the chain
  int num_units() const { return static_cast<int>(config.num_layers) + 2; }
  int64_t num_parameters() const;
  /// Matrix-product FLOPs of forward and backward for one token, attention left out: 6 a weight
  /// that takes part in a product (the embedding lookup does none; a tied head does).
  double flops_per_token() const;
};
ModelDeclaration declare_model(const ModelConfig& config);

}  // namespace burnish
