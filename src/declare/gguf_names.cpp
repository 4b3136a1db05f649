#include "declare/gguf_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace burnish {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array kOutside = {Pair{"token_embd", "model.embed_tokens"},
                                 Pair{"output_norm", "model.norm"}, Pair{"output", "lm_head"}};

constexpr std::array kInBlock = {
    Pair{"attn_norm", "input_layernorm"},    Pair{"attn_q", "self_attn.q_proj"},
    Pair{"attn_k", "self_attn.k_proj"},      Pair{"attn_v", "self_attn.v_proj"},
    Pair{"attn_output", "self_attn.o_proj"}, Pair{"ffn_norm", "post_attention_layernorm"},
    Pair{"ffn_gate", "mlp.gate_proj"},       Pair{"ffn_up", "mlp.up_proj"},
    Pair{"ffn_down", "mlp.down_proj"}};

std::string_view counterpart(std::string_view name, std::span<const Pair> pairs) {
  const auto found = std::find_if(pairs.begin(), pairs.end(),
                                  [&](const Pair& pair) { return pair.first == name; });
  return found == pairs.end() ? std::string_view() : found->second;
}

bool is_layer_number(std::string_view text) {
  return !text.empty() && (text.size() == 1 || text.front() != '0') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::string> hf_name_of_gguf(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  std::string_view stem = std::string_view(name).substr(0, dot);
  const std::string kind = name.substr(dot);
  if (kind != ".weight" && kind != ".bias") return std::nullopt;
  std::string prefix;
  std::string_view module;
  if (stem.starts_with("blk.")) {
    stem.remove_prefix(4);
    const size_t end = stem.find('.');
    if (end == std::string_view::npos || !is_layer_number(stem.substr(0, end))) return std::nullopt;
    prefix = "model.layers." + std::string(stem.substr(0, end)) + ".";
    module = counterpart(stem.substr(end + 1), kInBlock);
  } else {
    module = counterpart(stem, kOutside);
  }
  if (module.empty()) return std::nullopt;
  return prefix + std::string(module) + kind;
}

}  // namespace burnish
