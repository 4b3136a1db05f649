#include "declare/gguf_config.h"

#include "base/error.h"
#include "declare/gguf_rope.h"
#include "declare/model_config.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

[[noreturn]] void refuse(ErrorCode code, const GgufFile& file, const std::string& key,
                         const std::string& what, const std::string& advice = {}) {
  throw Error(code, what, file.path().string() + ", key " + key, advice);
}

void refuse_other_kinds(const GgufFile& file) {
  const auto& architecture = file.need<std::string>("general.architecture");
  if (architecture != "llama")
    refuse(ErrorCode::unsupported, file, "general.architecture",
           "models of the architecture '" + architecture + "' cannot be trained yet",
           kTrainableFamilies);
  const auto* experts = file.get<int64_t>("llama.expert_count");
  if (experts != nullptr && *experts > 0)
    refuse(ErrorCode::unsupported, file, "llama.expert_count", "mixtures of experts are not known");
  const auto* parts = file.get<int64_t>("split.count");
  if (parts != nullptr && *parts > 1)
    refuse(ErrorCode::unsupported, file, "split.count",
           "this is one of " + std::to_string(*parts) + " parts of a model",
           "Merge them into one file first (llama-gguf-split --merge)");
}

bool has_tensor(const GgufFile& file, const char* name) {
  return file.tensors().count(name) != 0;
}

const GgufTensor& embedding_of(const GgufFile& file) {
  const auto embedding = file.tensors().find("token_embd.weight");
  if (embedding == file.tensors().end())
    throw Error(ErrorCode::model, "tensor token_embd.weight is missing", file.path().string());
  if (embedding->second.shape.size() != 2)
    throw Error(ErrorCode::model, "it is no matrix",
                file.path().string() + ", tensor token_embd.weight");
  return embedding->second;
}

// The embedding is [V, E]: it and the key must agree.
int64_t vocabulary_size(const GgufFile& file) {
  const int64_t rows = embedding_of(file).shape[0];
  const auto* claimed = file.get<int64_t>("llama.vocab_size");
  if (claimed != nullptr && *claimed != rows)
    refuse(
        ErrorCode::model, file, "llama.vocab_size",
        std::to_string(*claimed) + ", but token_embd.weight has " + std::to_string(rows) + " rows");
  return rows;
}

// Elements of a head: key_length, else the rotated ones, else hidden / heads.
int64_t head_dim(const GgufFile& file, int64_t hidden, int64_t heads) {
  const auto* key = file.get<int64_t>("llama.attention.key_length");
  const auto* value = file.get<int64_t>("llama.attention.value_length");
  const auto* rotated = file.get<int64_t>("llama.rope.dimension_count");
  if (heads < 1) refuse(ErrorCode::model, file, "llama.attention.head_count", "it is below 1");
  const int64_t dim = key != nullptr ? *key : hidden / heads;
  if (value != nullptr && *value != dim)
    refuse(ErrorCode::unsupported, file, "llama.attention.value_length",
           std::to_string(*value) + ", where keys have " + std::to_string(dim) + " elements");
  if (rotated != nullptr && *rotated != dim)
    refuse(ErrorCode::unsupported, file, "llama.rope.dimension_count",
           std::to_string(*rotated) + " of " + std::to_string(dim) +
               " dimensions are rotated; heads that are rotated in part cannot be run yet");
  return dim;
}

json token_or_null(const GgufFile& file, const char* name) {
  const auto* id = file.get<int64_t>(std::string("tokenizer.ggml.") + name + "_token_id");
  return id == nullptr ? json(nullptr) : json(*id);
}

// The dtype of the matrices; block formats are trained as float32.
const char* stored_dtype(const GgufFile& file) {
  switch (embedding_of(file).type) {
    case GgufType::F16:
      return "float16";
    case GgufType::BF16:
      return "bfloat16";
    default:
      return "float32";
  }
}

}  // namespace

json config_of_gguf(const GgufFile& file) {
  refuse_other_kinds(file);
  const auto hidden = file.need<int64_t>("llama.embedding_length");
  const auto heads = file.need<int64_t>("llama.attention.head_count");
  const auto* kv_heads = file.get<int64_t>("llama.attention.head_count_kv");
  const int64_t dim = head_dim(file, hidden, heads);
  const json rope = rope_of_gguf(file, dim);
  json scaling = rope;
  scaling.erase("rope_theta");
  json config;
  config["architectures"] = {"LlamaForCausalLM"};
  config["attention_bias"] = has_tensor(file, "blk.0.attn_q.bias");
  config["attention_dropout"] = 0.0;
  config["bos_token_id"] = token_or_null(file, "bos");
  config["dtype"] = stored_dtype(file);
  config["eos_token_id"] = token_or_null(file, "eos");
  config["head_dim"] = dim;
  config["hidden_act"] = "silu";
  config["hidden_size"] = hidden;
  config["initializer_range"] = 0.02;
  config["intermediate_size"] = file.need<int64_t>("llama.feed_forward_length");
  config["max_position_embeddings"] = file.need<int64_t>("llama.context_length");
  config["mlp_bias"] = has_tensor(file, "blk.0.ffn_gate.bias");
  config["model_type"] = "llama";
  config["num_attention_heads"] = heads;
  config["num_hidden_layers"] = file.need<int64_t>("llama.block_count");
  config["num_key_value_heads"] = kv_heads == nullptr ? heads : *kv_heads;
  config["pad_token_id"] = token_or_null(file, "padding");
  config["rms_norm_eps"] = file.need<double>("llama.attention.layer_norm_rms_epsilon");
  config["rope_parameters"] = rope;
  config["rope_scaling"] = rope["rope_type"] == "default" ? json(nullptr) : scaling;
  config["rope_theta"] = rope["rope_theta"];
  config["tie_word_embeddings"] = !has_tensor(file, "output.weight");
  config["torch_dtype"] = config["dtype"];
  config["use_cache"] = true;
  config["vocab_size"] = vocabulary_size(file);
  return config;
}

}  // namespace burnish
