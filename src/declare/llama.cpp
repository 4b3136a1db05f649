// Shapes: E hidden, I intermediate, V vocabulary, H query heads, K key and value heads, D a head.
#include "declare/llama.h"

namespace burnish {
namespace {

// Dimension that tensor parallelism splits.
enum class Split { none = -1, rows = 0, columns = 1 };

// Collects the declarations of one unit after another.
class Units {
 public:
  void begin(int unit, std::string prefix) {
    unit_ = unit;
    prefix_ = std::move(prefix);
  }

  void weight(const std::string& key, std::vector<int64_t> shape, ParameterRole role, Split split) {
    ParameterDeclaration parameter;
    parameter.name = prefix_ + key;
    parameter.unit = unit_;
    parameter.key = key;
    parameter.role = role;
    parameter.decays = role != ParameterRole::norm && role != ParameterRole::bias;
    parameter.split.dim = static_cast<int>(split);
    if (split != Split::none)
      parameter.split.sections = {shape[static_cast<size_t>(parameter.split.dim)]};
    parameter.shape = std::move(shape);
    parameters.push_back(std::move(parameter));
  }

  void norm(const std::string& key, int64_t width) {
    weight(key, {width}, ParameterRole::norm, Split::none);
  }

  // A projection [out, in]. Split by rows, its bias is split too; by columns, the parts of the
  // product are summed first and the bias is added once.
  void linear(const std::string& key, int64_t out, int64_t in, bool has_bias, Split split) {
    weight(key + ".weight", {out, in}, ParameterRole::matrix, split);
    if (!has_bias) return;
    weight(key + ".bias", {out}, ParameterRole::bias,
           split == Split::rows ? Split::rows : Split::none);
  }

  std::vector<ParameterDeclaration> parameters;

 private:
  int unit_ = 0;
  std::string prefix_;
};

void declare_block(Units& units, const ModelConfig& config) {
  const int64_t E = config.hidden_size, I = config.intermediate_size;
  const int64_t HD = config.num_heads * config.head_dim;
  const int64_t KD = config.num_kv_heads * config.head_dim;
  units.norm("input_layernorm.weight", E);
  units.linear("self_attn.q_proj", HD, E, config.attention_bias, Split::rows);
  units.linear("self_attn.k_proj", KD, E, config.attention_bias, Split::rows);
  units.linear("self_attn.v_proj", KD, E, config.attention_bias, Split::rows);
  units.linear("self_attn.o_proj", E, HD, config.attention_bias, Split::columns);
  units.norm("post_attention_layernorm.weight", E);
  units.linear("mlp.gate_proj", I, E, config.mlp_bias, Split::rows);
  units.linear("mlp.up_proj", I, E, config.mlp_bias, Split::rows);
  units.linear("mlp.down_proj", E, I, config.mlp_bias, Split::columns);
}

}  // namespace

std::vector<ParameterDeclaration> declare_llama(const ModelConfig& config) {
  const int64_t E = config.hidden_size, V = config.vocab_size;
  const int layers = static_cast<int>(config.num_layers);
  Units units;
  units.begin(0, "model.");
  units.weight("embed_tokens.weight", {V, E}, ParameterRole::embedding, Split::rows);
  for (int layer = 0; layer < layers; ++layer) {
    units.begin(layer + 1, "model.layers." + std::to_string(layer) + ".");
    declare_block(units, config);
  }
  units.begin(layers + 1, "model.");
  units.norm("norm.weight", E);
  units.begin(layers + 1, "");
  if (!config.tied_embeddings)
    units.weight("lm_head.weight", {V, E}, ParameterRole::head, Split::rows);
  return std::move(units.parameters);
}

}  // namespace burnish
