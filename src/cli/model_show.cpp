#include "cli/model_show.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "declare/model_overview.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

Json declared_tensors(const ModelOverview& model, bool hash) {
  Json tensors = Json::array();
  for (const ParameterDeclaration& parameter : model.declaration->parameters) {
    tensors.push_back({{"name", parameter.name},
                       {"shape", parameter.shape},
                       {"dtype", model.checkpoint->stored_type(parameter.name)},
                       {"unit", parameter.unit},
                       {"decays", parameter.decays}});
    if (!hash) continue;
    tensors.back()["sha256"] = sha256_of_values(
        parameter.num_elements(),
        [&](std::span<float> out) { model.checkpoint->read_f32(parameter.name, out); });
    model.checkpoint->release(parameter.name);
  }
  return tensors;
}

Json stored_tensors(const ModelOverview& model, bool hash) {
  Json tensors = Json::array();
  for (const auto& [name, tensor] : model.stored.tensors) {
    tensors.push_back({{"name", name}, {"shape", tensor.shape}, {"dtype", tensor.type}});
    if (!hash) continue;
    tensors.back()["sha256"] = tensor.holds_weights()
                                   ? Json(sha256_of_values(tensor.num_elements(), tensor.read))
                                   : Json();
    tensor.file->release(tensor.bytes);
  }
  return tensors;
}

Json text_json(const TextOverview& text) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  return {{"tokens", or_null(text.num_tokens)},
          {"bos", or_null(text.bos)},
          {"eos", or_null(text.eos)},
          {"problems", text.problems}};
}

Json types_json(const ModelOverview& model) {
  Json types = Json::object();
  for (const auto& [name, total] : model.types)
    types[name] = {
        {"tensors", total.tensors}, {"parameters", total.elements}, {"bytes", total.bytes}};
  return types;
}

Json described(const ModelOverview& model, const ShowOptions& options) {
  const bool declared = model.declaration && !options.stored;
  const auto context = model.size("max_position_embeddings");
  Json shown = {{"source", model.source.path.string()},
                {"model_type", model.family},
                {"trainable", model.declaration.has_value()},
                {"obstacle", model.declaration ? Json() : Json(model.obstacle)},
                {"parameters", model.num_parameters()},
                {"bytes", model.num_bytes()},
                {"types", types_json(model)},
                {"context_length", context ? Json(*context) : Json()},
                {"tokenizer", text_json(model.text)},
                {"template", model.text.has_template}};
  if (model.declaration) {
    shown["flops_per_token"] = model.declaration->flops_per_token();
    shown["units"] = model.declaration->num_units();
    shown["tied_embeddings"] = model.declaration->config.tied_embeddings;
    shown["warnings"] = model.checkpoint->warnings();
  }
  shown["config"] = model.config;
  shown["tensors"] =
      declared ? declared_tensors(model, options.hash) : stored_tensors(model, options.hash);
  return shown;
}

void line(const char* title, const std::string& text) {
  std::cout << std::left << std::setw(17) << title << text << '\n';
}

std::string fixed(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

std::string mib(int64_t bytes) {
  return fixed(static_cast<double>(bytes) / 1048576) + " MiB";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string sizes_text(const ModelOverview& model) {
  constexpr std::pair<const char*, const char*> kSizes[] = {
      {"num_hidden_layers", "layers"},
      {"hidden_size", "hidden"},
      {"intermediate_size", "feed-forward"},
      {"num_attention_heads", "heads"},
      {"num_key_value_heads", "heads of keys and values"},
      {"head_dim", "size of a head"},
      {"num_experts", "experts"},
      {"vocab_size", "vocabulary"}};
  std::vector<std::string> parts;
  for (const auto& [key, name] : kSizes)
    if (const auto size = model.size(key)) parts.push_back(name + (" " + std::to_string(*size)));
  return joined(parts);
}

std::string types_text(const ModelOverview& model) {
  std::vector<std::string> parts;
  for (const auto& [name, total] : model.types)
    parts.push_back(name + " " + mib(total.bytes) + " in " + std::to_string(total.tensors) +
                    (total.tensors == 1 ? " tensor" : " tensors"));
  return joined(parts);
}

std::string tokenizer_text(const TextOverview& text) {
  if (!text.num_tokens) return "cannot be read";
  std::string shown = std::to_string(*text.num_tokens) + " tokens";
  if (text.bos) shown += ", begins with " + *text.bos;
  if (text.eos) shown += ", ends with " + *text.eos;
  return shown;
}

void print_facts(const ModelOverview& model) {
  const bool gguf = model.source.kind == ModelSource::Kind::gguf;
  const bool tied = model.declaration && model.declaration->config.tied_embeddings;
  std::cout << model.source.path.string() << (gguf ? " (GGUF)\n" : "\n");
  line("family", model.family.empty() ? "not said" : model.family);
  line("sizes", sizes_text(model));
  line("parameters", fixed(static_cast<double>(model.num_parameters()) / 1e6) + " M" +
                         (tied ? " (embedding and head are one)" : ""));
  line("weights", mib(model.num_bytes()) + ": " + types_text(model));
  const auto context = model.size("max_position_embeddings");
  line("context", context ? std::to_string(*context) + " tokens" : "not said");
  line("tokenizer", tokenizer_text(model.text));
  line("chat template", model.text.has_template ? "yes" : "no");
  if (model.declaration)
    line("FLOPs per token", fixed(model.declaration->flops_per_token() / 1e9) +
                                " G (forward and backward, attention left out)");
  else
    line("training", "no: " + model.obstacle);
  std::cout << '\n';
}

std::string shape_of(const Json& shape) {
  std::string text;
  for (const Json& size : shape) text += (text.empty() ? "" : " x ") + size.dump();
  return text;
}

void print_tensors(const Json& tensors) {
  for (const Json& tensor : tensors) {
    std::cout << std::left << std::setw(52) << tensor["name"].get<std::string>() << ' '
              << std::setw(8) << tensor["dtype"].get<std::string>();
    if (tensor.contains("sha256"))
      std::cout << std::setw(16) << shape_of(tensor["shape"]) << ' '
                << (tensor["sha256"].is_null() ? "-" : tensor["sha256"].get<std::string>());
    else
      std::cout << shape_of(tensor["shape"]);
    std::cout << '\n';
  }
}

}  // namespace

void show_model(const std::string& name, const ShowOptions& options) {
  const ModelOverview model = overview_of(resolve_model(name));
  const Json shown = described(model, options);
  if (options.json) {
    std::cout << shown.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  if (model.checkpoint) print_warnings(model.checkpoint->warnings());
  print_warnings(model.text.problems);
  print_facts(model);
  print_tensors(shown["tensors"]);
}

}  // namespace burnish
