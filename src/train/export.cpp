#include "train/export.h"

#include "base/error.h"
#include "base/file.h"
#include "engine/tensor_file.h"
#include "kernel/check.h"

namespace burnish {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

constexpr int64_t kShardBytes = 5'000'000'000;

int64_t bytes_of(const TensorToWrite& tensor) {
  int64_t bytes = static_cast<int64_t>(size_of(tensor.dtype));
  for (int64_t n : tensor.shape) bytes *= n;
  return bytes;
}

std::vector<std::vector<TensorToWrite>> in_shards(std::vector<TensorToWrite> tensors) {
  std::vector<std::vector<TensorToWrite>> shards(1);
  int64_t filled = 0;
  for (TensorToWrite& tensor : tensors) {
    const int64_t bytes = bytes_of(tensor);
    if (filled > 0 && filled + bytes > kShardBytes) {
      shards.emplace_back();
      filled = 0;
    }
    filled += bytes;
    shards.back().push_back(std::move(tensor));
  }
  return shards;
}

std::string five_digits(size_t n) {
  const std::string digits = std::to_string(n);
  return std::string(5 - std::min<size_t>(5, digits.size()), '0') + digits;
}

// The type that the base model has on disk; what was trained in 16 bits has no more to store.
DType exported_dtype(const Model& model, size_t parameter) {
  const at::Tensor& value = model.parameters->all()[parameter].value;
  return is_half(value.scalar_type())
             ? dtype_of(value)
             : model.checkpoint->dtype_of(model.declaration.parameters[parameter].name);
}

void write_weights(const fs::path& folder, const Model& model) {
  std::vector<TensorToWrite> tensors;
  int64_t total_bytes = 0;
  for (size_t i = 0; i < model.declaration.parameters.size(); ++i) {
    const std::string& name = model.declaration.parameters[i].name;
    tensors.push_back(
        tensor_to_write(name, model.parameters->all()[i].value, exported_dtype(model, i)));
    total_bytes += bytes_of(tensors.back());
  }
  const auto shards = in_shards(std::move(tensors));
  if (shards.size() == 1) {
    write_safetensors(folder / "model.safetensors", shards.front(), {{"format", "pt"}});
    return;
  }
  ordered_json index{{"metadata", {{"total_size", total_bytes}}},
                     {"weight_map", ordered_json::object()}};
  for (size_t s = 0; s < shards.size(); ++s) {
    const std::string name =
        "model-" + five_digits(s + 1) + "-of-" + five_digits(shards.size()) + ".safetensors";
    write_safetensors(folder / name, shards[s], {{"format", "pt"}});
    for (const TensorToWrite& tensor : shards[s]) index["weight_map"][tensor.name] = name;
  }
  write_text_file(folder / "model.safetensors.index.json", index.dump(2) + "\n");
}

ordered_json config_json(const Model& model) {
  ordered_json config = model.declaration.config.source_json;
  config["tie_word_embeddings"] = model.declaration.config.tied_embeddings;
  const at::Tensor& first = model.parameters->all().front().value;
  for (const char* key : {"dtype", "torch_dtype"})  // newer and older configurations
    if (is_half(first.scalar_type()) && config.contains(key))
      config[key] = torch_name(dtype_of(first));
  return config;
}

ordered_json one_or_all(const std::vector<int64_t>& ids) {
  return ids.size() == 1 ? ordered_json(ids.front()) : ordered_json(ids);
}

// The base model's own, but for a run that has set another end.
std::string generation_config(const Model& model, const ModelSource& source, bool new_eos) {
  const ModelConfig& config = model.declaration.config;
  const fs::path original = source.path / "generation_config.json";
  if (source.kind == ModelSource::Kind::folder && fs::exists(original)) {
    const std::string text = read_text_file(original);
    if (!new_eos) return text;
    ordered_json json = ordered_json::parse(text, nullptr, false);
    if (!json.is_object())
      throw Error(ErrorCode::model, "the file is no JSON object", original.string());
    json["eos_token_id"] = one_or_all(config.eos_token_ids);
    return json.dump(2) + "\n";
  }
  ordered_json json = ordered_json::object();
  if (config.bos_token_id) json["bos_token_id"] = *config.bos_token_id;
  if (!config.eos_token_ids.empty()) json["eos_token_id"] = one_or_all(config.eos_token_ids);
  if (config.pad_token_id) json["pad_token_id"] = *config.pad_token_id;
  return json.dump(2) + "\n";
}

}  // namespace

void export_model(const fs::path& folder, const Model& model, const TextFiles& text,
                  const ModelSource& source, const ModelCard& card, bool new_eos) {
  fs::path partial = folder;
  partial += ".partial";
  fs::remove_all(partial);
  make_folder(partial);
  write_weights(partial, model);
  write_text_file(partial / "config.json", config_json(model).dump(2) + "\n");
  write_text_file(partial / "generation_config.json", generation_config(model, source, new_eos));
  for (const auto& [name, content] : text.tokenizer.files())
    write_text_file(partial / name, content);
  if (text.chat_template)
    write_text_file(partial / "chat_template.jinja", text.chat_template->source());
  write_text_file(partial / "README.md", model_card_text(card));
  fs::remove_all(folder);  // of an earlier resumption that reached its end
  rename_durably(partial, folder);
}

}  // namespace burnish
