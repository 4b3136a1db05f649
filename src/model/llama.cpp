// T tokens, E embedding, V vocabulary, H query heads, K key-value heads, D head dimension,
// I MLP width, S cached tokens.
#include "model/llama.h"

#include <ATen/ops/add.h>

#include <cmath>

#include "kernel/attention.h"
#include "kernel/embedding.h"
#include "kernel/linear.h"
#include "kernel/linear_cross_entropy.h"
#include "kernel/rms_norm.h"
#include "kernel/rope.h"
#include "kernel/swiglu.h"

namespace burnish {
namespace {

class LlamaEmbedding : public Unit {
 public:
  explicit LlamaEmbedding(const ModelConfig& config) : padding_idx_(config.pad_token_id) {}

  UnitOutput forward(const UnitParameters& p, const UnitInput& input, Context&) const override {
    return {embedding(input.ids_T, p.at("embed_tokens.weight"), padding_idx_)};
  }

 private:
  std::optional<int64_t> padding_idx_;
};

at::Tensor project(const UnitParameters& p, const std::string& name, const at::Tensor& x_TI) {
  return linear(x_TI, p.at(name + ".weight"), p.find(name + ".bias"));
}

class LlamaBlock : public Unit {
 public:
  LlamaBlock(const ModelConfig& config, int layer, std::shared_ptr<const RopeTable> rope)
      : config_(config), layer_(layer), rope_(std::move(rope)) {}

  // h = x + O attention(rope(Q n1), rope(K n1), V n1), n1 = norm1(x); y = h + down swiglu(norm2(h))
  UnitOutput forward(const UnitParameters& p, const UnitInput& input,
                     Context& context) const override {
    const double eps = config_.rms_norm_eps;
    const at::Tensor n1_TE = rms_norm(input.x_TE, p.at("input_layernorm.weight"), eps);
    const at::Tensor attended_TE = project(p, "self_attn.o_proj", attend(p, n1_TE, input, context));
    const auto [h_TE, n2_TE] =
        add_rms_norm(attended_TE, input.x_TE, p.at("post_attention_layernorm.weight"), eps);
    const at::Tensor gate_TI = project(p, "mlp.gate_proj", n2_TE);
    const at::Tensor up_TI = project(p, "mlp.up_proj", n2_TE);
    return {at::add(h_TE, project(p, "mlp.down_proj", swiglu(gate_TI, up_TI)))};
  }

 private:
  at::Tensor attend(const UnitParameters& p, const at::Tensor& n_TE, const UnitInput& input,
                    Context& context) const {
    const int64_t T = n_TE.size(0), H = config_.num_heads, K = config_.num_kv_heads,
                  D = config_.head_dim;
    LayerCache* cache = context.caches == nullptr ? nullptr : &(*context.caches)[layer_];
    const int64_t first = cache == nullptr ? 0 : cache->length;
    const at::Tensor q_THD =
        rope(project(p, "self_attn.q_proj", n_TE).view({T, H, D}), *rope_, *input.segments, first);
    const at::Tensor k_TKD =
        rope(project(p, "self_attn.k_proj", n_TE).view({T, K, D}), *rope_, *input.segments, first);
    const at::Tensor v_TKD = project(p, "self_attn.v_proj", n_TE).view({T, K, D});
    const double scale = 1.0 / std::sqrt(static_cast<double>(D));
    if (cache == nullptr)
      return attention(q_THD, k_TKD, v_TKD, *input.segments, scale).view({T, H * D});
    cache->k_SKD.narrow(0, first, T).copy_(k_TKD);
    cache->v_SKD.narrow(0, first, T).copy_(v_TKD);
    cache->length = first + T;
    return attention_cached(q_THD, cache->k_SKD.narrow(0, 0, first + T),
                            cache->v_SKD.narrow(0, 0, first + T), scale)
        .view({T, H * D});
  }

  ModelConfig config_;
  int layer_;
  std::shared_ptr<const RopeTable> rope_;
};

class LlamaHead : public Unit {
 public:
  explicit LlamaHead(const ModelConfig& config) : eps_(config.rms_norm_eps) {}

  UnitOutput forward(const UnitParameters& p, const UnitInput& input,
                     Context& context) const override {
    const at::Tensor n_TE = rms_norm(input.x_TE, p.at("norm.weight"), eps_);
    const Weight& head_VE = p.at("lm_head.weight");
    if (context.want_logits) return {linear(n_TE, head_VE, nullptr)};
    const CrossEntropyResult result =
        linear_cross_entropy(n_TE, head_VE, input.labels, input.loss_scale);
    return {result.loss, result.targets, result.correct};
  }

 private:
  double eps_;
};

}  // namespace

Chain make_llama(const ModelDeclaration& declaration, int64_t num_positions) {
  const ModelConfig& config = declaration.config;
  const auto table = std::make_shared<const RopeTable>(
      make_rope_table(config.rope.inverse_frequencies(config.head_dim), num_positions));
  Chain chain;
  chain.push_back(std::make_unique<LlamaEmbedding>(config));
  for (int layer = 0; layer < config.num_layers; ++layer)
    chain.push_back(std::make_unique<LlamaBlock>(config, layer, table));
  chain.push_back(std::make_unique<LlamaHead>(config));
  return chain;
}

}  // namespace burnish
