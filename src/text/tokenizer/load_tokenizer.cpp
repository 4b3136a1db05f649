// From the files of a tokenizer to its pipeline.
#include <algorithm>
#include <limits>
#include <map>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "text/tokenizer/json_reader.h"
#include "text/tokenizer/pipeline.h"

namespace burnish {
namespace {

constexpr int64_t kMostIds = 1 << 28;

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The small files beside tokenizer.json; null where a file is missing.
struct SideFiles {
  std::string config_name, map_name, added_name;
  nlohmann::json config, map, added;
};

AddedToken added_token_from(const JsonValue& json, bool special) {
  AddedToken token;
  token.special = json["special"].boolean_or(special);
  token.single_word = json["single_word"].boolean_or(false);
  token.lstrip = json["lstrip"].boolean_or(false);
  token.rstrip = json["rstrip"].boolean_or(false);
  token.normalized = json["normalized"].boolean_or(!token.special);
  token.content = json["content"].string();
  return token;
}

// Adds tokens to a pipeline as the tokenizers package does: a token that the vocabulary knows keeps
// its id, another gets the next free one.
class TokenAdder {
 public:
  explicit TokenAdder(TokenizerPipeline& pipeline)
      : pipeline_(pipeline), next_id_(static_cast<int64_t>(pipeline.vocabulary.num_tokens())) {}

  void add(AddedToken token, const JsonValue& json, std::optional<int64_t> stated_id) {
    if (token.content.empty()) return;
    const std::optional<int32_t> known = pipeline_.vocabulary.find(token.content);
    const int64_t id = known ? *known : next_id_;
    if (stated_id && *stated_id != id)
      json.refuse("the token \"" + token.content + "\" claims id " + std::to_string(*stated_id) +
                  " but gets " + std::to_string(id) + " (" +
                  (known ? "its id in the vocabulary" : "the next free one") + ")");
    if (!known) {
      if (pipeline_.vocabulary.token(static_cast<int32_t>(id)) != nullptr)
        json.refuse("the vocabulary has gaps: the next free id " + std::to_string(id) +
                    " is taken, so \"" + token.content + "\" cannot be added");
      pipeline_.vocabulary.add(token.content, static_cast<int32_t>(id));
    }
    next_id_ = std::max(next_id_, id + 1);
    pipeline_.added_tokens.add(std::move(token), static_cast<int32_t>(id));
  }

 private:
  TokenizerPipeline& pipeline_;
  int64_t next_id_;
};

// added_tokens_decoder of tokenizer_config.json: those that tokenizer.json lacks, by id.
void add_from_decoder(const JsonValue& decoder, const Vocabulary& vocabulary,
                      const AddedTokens& known, TokenAdder& adder) {
  if (decoder.is_null()) return;
  std::map<int64_t, JsonValue> by_id;
  for (const auto& [key, value] : decoder.members()) {
    const bool number =
        !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
    if (!number) value.refuse("an id is needed as key");
    by_id.emplace(std::stoll(key), value);
  }
  for (const auto& [id, value] : by_id) {
    AddedToken token = added_token_from(value, false);
    const auto there = vocabulary.find(token.content);
    if (!there || !known.find(*there)) adder.add(std::move(token), value, id);
  }
}

// added_tokens.json of older folders: {content: id}.
void add_from_list(const nlohmann::json& json, const std::string& name,
                   const Vocabulary& vocabulary, const AddedTokens& known, TokenAdder& adder) {
  if (json.is_null()) return;
  std::map<int64_t, std::pair<std::string, JsonValue>> by_id;
  for (const auto& [content, value] : JsonValue(json, name, "").members())
    by_id.emplace(value.integer(0, kMostIds), std::pair(content, value));
  for (const auto& [id, entry] : by_id) {
    const auto there = vocabulary.find(entry.first);
    if (there && known.find(*there)) continue;
    AddedToken token;
    token.content = entry.first;
    adder.add(std::move(token), entry.second, id);
  }
}

// "bos_token": a string, or an added token as an object.
std::optional<AddedToken> special_token(const JsonValue& json) {
  if (json.is_null()) return std::nullopt;
  AddedToken token;
  if (json.is_string()) {
    token.content = json.string();
    token.normalized = false;
    token.special = true;
  } else {
    token = added_token_from(json, true);
    token.special = true;
  }
  return token;
}

void read_special_tokens(const SideFiles& side, TokenizerPipeline& pipeline, TokenAdder& adder) {
  const nlohmann::json none = nlohmann::json::object();
  const JsonValue config(side.config.is_null() ? none : side.config, side.config_name, "");
  const JsonValue map(side.map.is_null() ? none : side.map, side.map_name, "");
  SpecialTokens& special = pipeline.special_tokens;
  const auto add_special = [&](const JsonValue& json) -> std::optional<std::string> {
    auto token = special_token(json);
    if (!token || token->content.empty()) return std::nullopt;
    std::string content = token->content;
    const auto there = pipeline.vocabulary.find(content);
    if (!there || !pipeline.added_tokens.find(*there))
      adder.add(std::move(*token), json, std::nullopt);
    return content;
  };
  const auto read = [&](const char* key, std::optional<std::string>& text,
                        std::optional<int32_t>& id) {
    text = add_special(config[key].is_null() ? map[key] : config[key]);
    if (text) id = pipeline.vocabulary.find(*text);
  };
  read("bos_token", special.bos, special.bos_id);
  read("eos_token", special.eos, special.eos_id);
  read("unk_token", special.unk, special.unk_id);
  read("pad_token", special.pad, special.pad_id);
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const JsonValue list = config[key].is_null() ? map[key] : config[key];
    if (list.is_null() || list.is_object()) continue;  // an object names tokens that are there
    for (const JsonValue& json : list.items()) add_special(json);
  }
}

void add_tokens(const JsonValue& root, const SideFiles& side, TokenizerPipeline& pipeline) {
  TokenAdder adder(pipeline);
  if (!root["added_tokens"].is_null()) {
    for (const JsonValue& json : root["added_tokens"].items()) {
      const int64_t id = json["id"].integer(0, kMostIds);
      adder.add(added_token_from(json, false), json, id);
    }
  }
  if (!side.config.is_null())
    add_from_decoder(JsonValue(side.config, side.config_name, "")["added_tokens_decoder"],
                     pipeline.vocabulary, pipeline.added_tokens, adder);
  add_from_list(side.added, side.added_name, pipeline.vocabulary, pipeline.added_tokens, adder);
  read_special_tokens(side, pipeline, adder);
}

std::unique_ptr<TokenizerPipeline> build(std::string_view text, const std::string& name,
                                         const SideFiles& side) {
  TokenizerDocument document = read_tokenizer_document(text, name);
  auto pipeline = std::make_unique<TokenizerPipeline>();
  pipeline->name = name;
  const JsonValue root(document.root, pipeline->name, "");
  if (root["model"].is_null()) root["model"].refuse("the model is missing");
  const std::string version = root["version"].string_or("1.0");
  if (version != "1.0") root["version"].unsupported("version \"" + version + "\" is not known");
  pipeline->vocabulary = Vocabulary(std::move(document.vocabulary), name);
  pipeline->normalizer = make_normalizer(root["normalizer"]);
  pipeline->pre_tokenizer = make_pre_tokenizer(root["pre_tokenizer"]);
  pipeline->model = make_model(root["model"], document.merges, pipeline->vocabulary);
  pipeline->decoder = make_decoder(root["decoder"]);
  add_tokens(root, side, *pipeline);
  pipeline->post_processor = make_post_processor(root["post_processor"], pipeline->vocabulary);
  pipeline->added_tokens.prepare(pipeline->normalizer.get(), name);
  return pipeline;
}

}  // namespace

Tokenizer Tokenizer::from_json(std::string_view tokenizer_json,
                               std::string_view tokenizer_config_json, const std::string& name) {
  SideFiles side;
  side.config_name = name + " (tokenizer_config.json)";
  if (!tokenizer_config_json.empty())
    side.config = read_json_object(tokenizer_config_json, side.config_name);
  auto pipeline = build(tokenizer_json, name, side);
  pipeline->files.emplace("tokenizer.json", tokenizer_json);
  if (!tokenizer_config_json.empty())
    pipeline->files.emplace("tokenizer_config.json", tokenizer_config_json);
  return Tokenizer(std::move(pipeline));
}

Tokenizer Tokenizer::from_folder(const std::filesystem::path& folder) {
  const auto path = [&](const char* name) { return folder / name; };
  if (!is_there(path("tokenizer.json"))) {
    if (is_there(path("tokenizer.model")) || is_there(path("vocab.json")))
      throw Error(ErrorCode::unsupported,
                  "only tokenizer.json is read; tokenizer.model and vocab.json are not there yet",
                  folder.string(), "Save the tokenizer with transformers' AutoTokenizer first");
    throw Error(ErrorCode::model, "the folder has no tokenizer.json", folder.string());
  }
  Files files;
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                           "chat_template.jinja", "tokenizer.json"})
    if (is_there(path(name))) files.emplace(name, read_text_file(path(name)));
  return from_files(std::move(files), folder);
}

Tokenizer Tokenizer::from_files(Files files, const std::filesystem::path& folder) {
  const auto read_side = [&](const char* name, std::string& full_name, nlohmann::json& json) {
    full_name = (folder / name).string();
    const auto file = files.find(name);
    if (file != files.end()) json = read_json_object(file->second, full_name);
  };
  SideFiles side;
  read_side("tokenizer_config.json", side.config_name, side.config);
  read_side("special_tokens_map.json", side.map_name, side.map);
  read_side("added_tokens.json", side.added_name, side.added);
  auto pipeline = build(files.at("tokenizer.json"), (folder / "tokenizer.json").string(), side);
  pipeline->files = std::move(files);
  return Tokenizer(std::move(pipeline));
}

}  // namespace burnish
