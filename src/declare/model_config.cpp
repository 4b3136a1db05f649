#include "declare/model_config.h"

#include "base/error.h"
#include "declare/config_reader.h"
#include "declare/gguf_config.h"
#include "declare/llama.h"
#include "format/json.h"

namespace burnish {

ModelConfig parse_config(const nlohmann::ordered_json& json, const std::string& where) {
  if (!json.is_object())
    throw Error(ErrorCode::model, "a JSON object is needed, not " + value_text(json), where);
  const ConfigReader reader(json, where);
  const std::optional<std::string> type = reader.text("model_type");
  if (!type) reader.refuse_missing("model_type");
  if (*type == "llama") return parse_llama_config(json, where);
  reader.refuse(ErrorCode::unsupported, "model_type",
                "models of type '" + *type + "' cannot be trained yet", kTrainableFamilies);
}

ModelConfig load_config(const ModelSource& source) {
  if (source.kind == ModelSource::Kind::gguf) {
    const GgufFile file(source.path);
    return parse_config(config_of_gguf(file), source.path.string());
  }
  const std::filesystem::path path = source.path / "config.json";
  return parse_config(parse_ordered_json_object(read_text_file(path), path.string()),
                      path.string());
}

int64_t ModelDeclaration::num_parameters() const {
  int64_t total = 0;
  for (const ParameterDeclaration& parameter : parameters) total += parameter.num_elements();
  return total;
}

double ModelDeclaration::flops_per_token() const {
  int64_t weights = 0;
  for (const ParameterDeclaration& parameter : parameters) {
    const bool multiplies = parameter.role == ParameterRole::matrix ||
                            parameter.role == ParameterRole::head ||
                            (parameter.role == ParameterRole::embedding && config.tied_embeddings);
    if (multiplies) weights += parameter.num_elements();
  }
  return 6.0 * static_cast<double>(weights);
}

ModelDeclaration declare_model(const ModelConfig& config) {
  return {config, declare_llama(config)};
}

void set_eos(ModelConfig& config, int64_t id) {
  std::vector<int64_t> ids{id};
  for (const int64_t old : config.eos_token_ids)
    if (old != id) ids.push_back(old);
  config.eos_token_ids = ids;
  config.source_json["eos_token_id"] =
      ids.size() == 1 ? nlohmann::ordered_json(id) : nlohmann::ordered_json(ids);
}

void set_vocab_size(ModelConfig& config, int64_t vocab_size) {
  config.vocab_size = vocab_size;
  config.source_json["vocab_size"] = vocab_size;
}

}  // namespace burnish
