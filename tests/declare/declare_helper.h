// A small Llama config, and checkpoints of it on disk.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "declare/checkpoint_source.h"
#include "format/bytes_helper.h"
#include "format/safetensors.h"

namespace burnish::testing_declare {
using json = nlohmann::ordered_json;

inline const std::filesystem::path kData = BURNISH_TEST_DATA;

/// One layer, hidden 8, 2 heads of 4 over 1 kv head, vocabulary 16.
inline json small_config() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"vocab_size", 16},
          {"hidden_size", 8},
          {"intermediate_size", 12},
          {"num_hidden_layers", 1},
          {"num_attention_heads", 2},
          {"num_key_value_heads", 1}};
}

inline ModelConfig small_model(const json& changes = json::object()) {
  json config = small_config();
  config.update(changes);
  return parse_config(config, "config.json");
}

/// What parse_config says against small_config() with these keys changed.
inline std::string failure_with(const json& changes) {
  return testing_bytes::failure_of([&] { small_model(changes); });
}

/// The bytes that `value` gives for element i of the tensor.
using Filler = std::function<float(const std::string& name, size_t i)>;

inline float numbered(const std::string& name, size_t i) {
  return static_cast<float>(name.size() * 1000 + i);
}

/// A tensor in float32.
inline TensorToWrite f32_tensor(const std::string& name, const std::vector<int64_t>& shape,
                                const Filler& filler = numbered) {
  return {name, DType::f32, shape, [=](const auto& sink) {
            size_t count = 1;
            for (const int64_t dim : shape) count *= static_cast<size_t>(dim);
            std::vector<float> values(count);
            for (size_t i = 0; i < count; ++i) values[i] = filler(name, i);
            sink(std::as_bytes(std::span(values)));
          }};
}

/// Every declared parameter in float32.
inline std::vector<TensorToWrite> whole_checkpoint(const ModelDeclaration& declaration) {
  std::vector<TensorToWrite> tensors;
  for (const ParameterDeclaration& parameter : declaration.parameters)
    tensors.push_back(f32_tensor(parameter.name, parameter.shape));
  return tensors;
}

inline ModelSource folder_of(const std::string& name, const std::vector<TensorToWrite>& tensors) {
  const auto folder = testing_bytes::scratch("declare_" + name);
  write_safetensors(folder / "model.safetensors", tensors, {{"format", "pt"}});
  return {ModelSource::Kind::folder, folder};
}

inline std::vector<float> values_of(const CheckpointSource& source,
                                    const ParameterDeclaration& parameter) {
  std::vector<float> values(static_cast<size_t>(parameter.num_elements()));
  source.read_f32(parameter.name, values);
  return values;
}

}  // namespace burnish::testing_declare
