#include "declare/rope.h"

#include <cmath>
#include <numbers>

#include "format/json.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

bool holds_anything(const json* value) {
  return value != nullptr && !(value->is_object() && value->empty());
}

struct RopeDict {
  std::string key;
  const json* value;  // nullptr: neither is there
};

RopeDict rope_dict(const ConfigReader& config) {
  const json* scaling = config.find("rope_scaling");
  if (holds_anything(scaling)) return {"rope_scaling", scaling};
  return {"rope_parameters", config.find("rope_parameters")};
}

std::string rope_type(const ConfigReader& rope) {
  if (const auto type = rope.text("rope_type")) return *type;
  return rope.text("type").value_or("default");
}

void read_llama3(RopeConfig& rope, const ConfigReader& dict, const ConfigReader& config,
                 int64_t max_position_embeddings) {
  rope.kind = RopeConfig::Kind::llama3;
  rope.factor = dict.positive("factor");
  rope.low_freq_factor = dict.positive("low_freq_factor");
  rope.high_freq_factor = dict.positive("high_freq_factor");
  const std::string key = "original_max_position_embeddings";
  const ConfigReader& holder = config.has(key) ? config : dict;
  rope.original_max_position_embeddings = holder.size(key, INT32_MAX, max_position_embeddings);
  if (rope.factor < 1)
    dict.refuse(ErrorCode::model, "factor", std::to_string(rope.factor) + " is below 1");
  if (rope.low_freq_factor >= rope.high_freq_factor)
    dict.refuse(ErrorCode::model, "high_freq_factor",
                std::to_string(rope.high_freq_factor) + " is not above low_freq_factor " +
                    std::to_string(rope.low_freq_factor));
}

void require_whole_heads(const ConfigReader& reader) {
  const std::string key = "partial_rotary_factor";
  if (reader.number(key).value_or(1.0) != 1.0)
    reader.refuse(ErrorCode::unsupported, key, "heads that are rotated in part cannot be run yet");
}

// One frequency of Llama 3.1's scaling (transformers' _compute_llama3_parameters).
float llama3_scaled(float f, const RopeConfig& rope) {
  const auto factor = static_cast<float>(rope.factor);
  const auto low = static_cast<float>(rope.low_freq_factor);
  const auto original = static_cast<double>(rope.original_max_position_embeddings);
  const auto longest = static_cast<float>(original / rope.low_freq_factor);
  const auto shortest = static_cast<float>(original / rope.high_freq_factor);
  const float wave = static_cast<float>(2 * std::numbers::pi) / f;
  if (wave > longest) return f / factor;
  if (wave < shortest) return f;
  const auto span = static_cast<float>(rope.high_freq_factor - rope.low_freq_factor);
  const float smooth = (static_cast<float>(original) / wave - low) / span;
  return (1 - smooth) * f / factor + smooth * f;
}

}  // namespace

RopeConfig parse_rope(const json& json_config, int64_t max_position_embeddings,
                      const std::string& where) {
  const ConfigReader config(json_config, where);
  const auto [key, value] = rope_dict(config);
  const json empty = json::object();
  if (value != nullptr && !value->is_object())
    config.refuse(ErrorCode::model, key, "an object is needed here, not " + value_text(*value));
  const ConfigReader dict(value == nullptr ? empty : *value, where + ", " + key);
  RopeConfig rope;
  rope.theta = (dict.has("rope_theta") ? dict : config).positive("rope_theta", rope.theta);
  require_whole_heads(dict);
  require_whole_heads(config);
  const std::string type = rope_type(dict);
  if (type == "llama3")
    read_llama3(rope, dict, config, max_position_embeddings);
  else if (type != "default")
    dict.refuse(ErrorCode::unsupported, dict.has("rope_type") ? "rope_type" : "type",
                "rotary embeddings of type '" + type + "' are not known",
                "Known types: default, llama3");
  return rope;
}

std::vector<double> RopeConfig::inverse_frequencies(int64_t head_dim) const {
  std::vector<double> frequencies;
  for (int64_t j = 0; j < head_dim / 2; ++j) {
    const float exponent = static_cast<float>(2 * j) / static_cast<float>(head_dim);
    const auto power = static_cast<float>(
        std::pow(static_cast<double>(static_cast<float>(theta)), static_cast<double>(exponent)));
    const float f = 1.0F / power;
    frequencies.push_back(kind == Kind::llama3 ? llama3_scaled(f, *this) : f);
  }
  return frequencies;
}

}  // namespace burnish
