#include <algorithm>

#include "declare/config_reader.h"
#include "declare/llama.h"
#include "declare/rope.h"
#include "format/json.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

// Far above every model there is, and low enough that no product of two leaves int64.
constexpr int64_t kMostWidth = int64_t{1} << 24;
constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kMostVocabulary = INT32_MAX;
constexpr double kMostParameters = 1e15;

void require_architecture(const ConfigReader& reader) {
  const json* list = reader.find("architectures");
  if (list == nullptr || list->empty()) return;
  if (!list->is_array())
    reader.refuse(ErrorCode::model, "architectures", "a list is needed, not " + value_text(*list));
  if (std::find(list->begin(), list->end(), json("LlamaForCausalLM")) == list->end())
    reader.refuse(ErrorCode::unsupported, "architectures",
                  value_text(list->front()) + " cannot be trained",
                  "Known architectures: LlamaForCausalLM");
}

// What would change the numbers and is not there.
void refuse_other_numbers(const ConfigReader& reader) {
  const std::string activation = reader.text("hidden_act").value_or("silu");
  if (activation != "silu")
    reader.refuse(ErrorCode::unsupported, "hidden_act",
                  "the activation '" + activation + "' is not known", "Known activations: silu");
  if (reader.number("attention_dropout").value_or(0) != 0)
    reader.refuse(ErrorCode::unsupported, "attention_dropout",
                  "dropout of attention cannot be trained with", "Set it to 0.0");
  if (reader.has("quantization_config"))
    reader.refuse(ErrorCode::unsupported, "quantization_config",
                  "quantized checkpoints of this kind cannot be read",
                  "Take the checkpoint in F32, F16 or BF16, or a GGUF file");
}

void read_sizes(ModelConfig& config, const ConfigReader& reader) {
  config.vocab_size = reader.size("vocab_size", kMostVocabulary);
  config.hidden_size = reader.size("hidden_size", kMostWidth);
  config.intermediate_size = reader.size("intermediate_size", kMostWidth);
  config.num_layers = reader.size("num_hidden_layers", kMostLayers);
  config.num_heads = reader.size("num_attention_heads", kMostWidth);
  config.num_kv_heads = reader.size("num_key_value_heads", kMostWidth, config.num_heads);
  if (config.num_heads % config.num_kv_heads != 0)
    reader.refuse(ErrorCode::model, "num_key_value_heads",
                  std::to_string(config.num_kv_heads) + " does not divide num_attention_heads " +
                      std::to_string(config.num_heads));
  if (!reader.has("head_dim") && config.hidden_size % config.num_heads != 0)
    reader.refuse(ErrorCode::model, "num_attention_heads",
                  std::to_string(config.num_heads) + " does not divide hidden_size " +
                      std::to_string(config.hidden_size) + ", and there is no head_dim");
  config.head_dim = reader.size("head_dim", kMostWidth, config.hidden_size / config.num_heads);
  if (config.head_dim % 2 != 0)
    reader.refuse(ErrorCode::model, "head_dim",
                  std::to_string(config.head_dim) + " is odd, but heads are rotated in pairs");
  config.max_position_embeddings = reader.size("max_position_embeddings", INT32_MAX, 2048);
}

// Every product of the declaration fits where no sum of them all is absurd.
void require_sane_total(const ModelConfig& config, const std::string& where) {
  const auto hidden = static_cast<double>(config.hidden_size);
  const double heads = static_cast<double>(config.num_heads) * static_cast<double>(config.head_dim);
  const double block = hidden * (4 * heads + 3 * static_cast<double>(config.intermediate_size));
  const double total = block * static_cast<double>(config.num_layers) +
                       2 * hidden * static_cast<double>(config.vocab_size);
  if (total > kMostParameters)
    throw Error(ErrorCode::model, "these sizes make a model of more than 10^15 parameters", where);
}

// -1 is an old way to say that there is none.
std::optional<int64_t> token_id(const json& value, const std::string& key,
                                const ConfigReader& reader, int64_t vocab_size) {
  if (!value.is_number_integer())
    reader.refuse(ErrorCode::model, key, value_text(value) + " is no token id");
  // numbers above int64 wrap to negative ones
  const bool wraps = value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
  const auto id = value.get<int64_t>();
  if (id == -1 && !wraps) return std::nullopt;
  if (id < 0 || id >= vocab_size)
    reader.refuse(ErrorCode::model, key,
                  value_text(value) + " is not within the vocabulary of " +
                      std::to_string(vocab_size) + " tokens");
  return id;
}

std::optional<int64_t> single_token(const std::string& key, const ConfigReader& reader,
                                    int64_t vocab_size) {
  const json* value = reader.find(key);
  return value == nullptr ? std::nullopt : token_id(*value, key, reader, vocab_size);
}

std::vector<int64_t> tokens(const std::string& key, const ConfigReader& reader,
                            int64_t vocab_size) {
  std::vector<int64_t> ids;
  const json* value = reader.find(key);
  if (value == nullptr) return ids;
  for (const json& item : value->is_array() ? *value : json::array({*value}))
    if (const auto id = token_id(item, key, reader, vocab_size)) ids.push_back(*id);
  return ids;
}

std::optional<DType> stored_dtype(const ConfigReader& reader) {
  const std::string key = reader.has("dtype") ? "dtype" : "torch_dtype";
  const std::optional<std::string> name = reader.text(key);
  if (!name) return std::nullopt;
  const std::optional<DType> dtype = dtype_of_torch_name(*name);
  if (!dtype)
    reader.refuse(ErrorCode::unsupported, key, "the dtype '" + *name + "' is not known",
                  "Known dtypes: float32, bfloat16, float16, float64");
  return dtype;
}

}  // namespace

ModelConfig parse_llama_config(const json& source, const std::string& where) {
  const ConfigReader reader(source, where);
  require_architecture(reader);
  refuse_other_numbers(reader);
  ModelConfig config;
  config.model_type = "llama";
  read_sizes(config, reader);
  require_sane_total(config, where);
  config.rms_norm_eps = reader.positive("rms_norm_eps", config.rms_norm_eps);
  config.rope = parse_rope(source, config.max_position_embeddings, where);
  config.attention_bias = reader.boolean("attention_bias").value_or(false);
  config.mlp_bias = reader.boolean("mlp_bias").value_or(false);
  config.tied_embeddings = reader.boolean("tie_word_embeddings").value_or(false);
  config.pad_token_id = single_token("pad_token_id", reader, config.vocab_size);
  config.bos_token_id = single_token("bos_token_id", reader, config.vocab_size);
  config.eos_token_ids = tokens("eos_token_id", reader, config.vocab_size);
  config.dtype = stored_dtype(reader);
  config.source_json = source;
  return config;
}

}  // namespace burnish
