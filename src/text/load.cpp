#include "text/load.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "format/gguf.h"

namespace burnish {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The template named "default" of a list of {name, template}; the only one, if there is one.
std::string template_of_list(const ordered_json& list, const std::string& where) {
  const ordered_json* chosen = nullptr;
  for (const auto& entry : list) {
    const bool good = entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
                      entry.contains("template") && entry["template"].is_string();
    if (!good) {
      throw Error(ErrorCode::model, "an entry of chat_template is not {name, template}", where);
    }
    if (entry["name"] == "default" || list.size() == 1) chosen = &entry["template"];
  }
  if (chosen == nullptr) {
    throw Error(ErrorCode::model, "chat_template has no entry named \"default\"", where,
                "write the wanted template into chat_template.jinja");
  }
  return chosen->get<std::string>();
}

std::optional<std::string> template_of_config(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  const std::string where = path.string();
  const ordered_json config = ordered_json::parse(read_text_file(path), nullptr, false);
  if (!config.is_object()) throw Error(ErrorCode::model, "not a JSON object", where);
  const auto found = config.find("chat_template");
  if (found == config.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  if (found->is_array() && !found->empty()) return template_of_list(*found, where);
  throw Error(ErrorCode::model, "chat_template is neither a text nor a list of templates", where);
}

std::optional<Template> template_of_folder(const fs::path& folder) {
  const fs::path own = folder / "chat_template.jinja";
  if (fs::exists(own)) return Template::parse(read_text_file(own), own.string());
  const fs::path config = folder / "tokenizer_config.json";
  if (auto source = template_of_config(config)) {
    return Template::parse(std::move(*source), config.string() + ":chat_template");
  }
  const fs::path additional = folder / "additional_chat_templates" / "default.jinja";
  if (fs::exists(additional)) {
    return Template::parse(read_text_file(additional), additional.string());
  }
  return std::nullopt;
}

std::optional<Template> template_of_gguf(const GgufFile& gguf) {
  const auto* source = gguf.get<std::string>("tokenizer.chat_template");
  if (source == nullptr) return std::nullopt;
  return Template::parse(*source, gguf.path().string() + ":tokenizer.chat_template");
}

}  // namespace

TextFiles load_text(const ModelSource& source) {
  if (source.kind == ModelSource::Kind::gguf) {
    const GgufFile gguf(source.path);
    return {Tokenizer::from_gguf(gguf), template_of_gguf(gguf)};
  }
  return {Tokenizer::from_folder(source.path), template_of_folder(source.path)};
}

Tokenizer load_tokenizer(const ModelSource& source) {
  if (source.kind == ModelSource::Kind::gguf) return Tokenizer::from_gguf(GgufFile(source.path));
  return Tokenizer::from_folder(source.path);
}

std::optional<Template> load_template(const ModelSource& source) {
  if (source.kind == ModelSource::Kind::gguf) return template_of_gguf(GgufFile(source.path));
  return template_of_folder(source.path);
}

std::map<std::string, std::string> template_special_tokens(const Tokenizer& tokenizer) {
  const SpecialTokens& special = tokenizer.special_tokens();
  std::map<std::string, std::string> variables;
  const auto add = [&](const char* name, const std::optional<std::string>& token) {
    if (token) variables.emplace(name, *token);
  };
  add("bos_token", special.bos);
  add("eos_token", special.eos);
  add("pad_token", special.pad);
  add("unk_token", special.unk);
  return variables;
}

}  // namespace burnish
