// A GGUF vocabulary as the tokenizer.json and tokenizer_config.json that it was made from: the
// pipeline, and what an export writes, come from these two texts.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "format/gguf.h"
#include "format/utf8.h"
#include "text/tokenizer/pipeline.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kControl = 3, kUserDefined = 4;  // of tokenizer.ggml.token_type

constexpr const char* kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen35Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

Json byte_level(bool use_regex) {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", false},
          {"trim_offsets", false},
          {"use_regex", use_regex}};
}

Json split_then_bytes(const char* pattern) {
  const Json split = {{"type", "Split"},
                      {"pattern", {{"Regex", pattern}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  return {{"type", "Sequence"}, {"pretokenizers", Json::array({split, byte_level(false)})}};
}

Json digits_then_bytes() {
  const Json digits = {{"type", "Digits"}, {"individual_digits", true}};
  return {{"type", "Sequence"}, {"pretokenizers", Json::array({digits, byte_level(true)})}};
}

// What a name in tokenizer.ggml.pre stands for.
struct Family {
  Json normalizer, pre_tokenizer;
  bool ignore_merges, add_bos;
};

Family family_of(const std::string& name, const std::string& file) {
  const Json nfc = {{"type", "NFC"}};
  if (name == "smollm") return {nullptr, digits_then_bytes(), false, false};
  if (name == "gpt-2" || name == "default") return {nullptr, byte_level(true), false, false};
  if (name == "qwen2") return {nfc, split_then_bytes(kQwen2Pattern), false, false};
  if (name == "qwen35") return {nfc, split_then_bytes(kQwen35Pattern), false, false};
  if (name == "llama-bpe" || name == "llama3" || name == "llama-v3")
    return {nullptr, split_then_bytes(kLlama3Pattern), true, true};
  throw Error(ErrorCode::unsupported, "the pre-tokenizer \"" + name + "\" is not there yet",
              file + ": key 'tokenizer.ggml.pre'",
              "Use the model's Hugging Face folder with its tokenizer.json");
}

class GgufVocabulary {
 public:
  explicit GgufVocabulary(const GgufFile& gguf)
      : gguf_(gguf),
        file_(gguf.path().string()),
        tokens_(gguf.need<std::vector<std::string>>("tokenizer.ggml.tokens")),
        family_(family_of(text("tokenizer.ggml.pre", "default"), file_)) {
    const std::string& model = gguf.need<std::string>("tokenizer.ggml.model");
    if (model != "gpt2")
      throw Error(ErrorCode::unsupported, "the vocabulary \"" + model + "\" is not there yet",
                  file_ + ": key 'tokenizer.ggml.model'",
                  "Use the model's Hugging Face folder with its tokenizer.json");
    for (size_t id = 0; id < tokens_.size(); ++id)
      if (!is_utf8(tokens_[id]))
        throw Error(ErrorCode::model, "token " + std::to_string(id) + " is not UTF-8",
                    file_ + ": key 'tokenizer.ggml.tokens'", "The file is damaged: fetch it again");
  }

  std::string tokenizer_json() const {
    const Json tokenizer = {{"version", "1.0"},
                            {"truncation", nullptr},
                            {"padding", nullptr},
                            {"added_tokens", added_tokens()},
                            {"normalizer", family_.normalizer},
                            {"pre_tokenizer", family_.pre_tokenizer},
                            {"post_processor", post_processor()},
                            {"decoder", byte_level(true)},
                            {"model", "MODEL"}};
    // the vocabulary is written by hand: an ordered object would search its keys one by one
    std::string text = tokenizer.dump();
    const std::string place = "\"MODEL\"";
    return text.replace(text.rfind(place), place.size(), model_json());
  }

  std::string tokenizer_config_json() const {
    Json config = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                   {"add_bos_token", adds_bos()},
                   {"clean_up_tokenization_spaces", false}};
    const std::array<std::pair<const char*, const char*>, 4> specials = {
        {{"bos_token", "tokenizer.ggml.bos_token_id"},
         {"eos_token", "tokenizer.ggml.eos_token_id"},
         {"pad_token", "tokenizer.ggml.padding_token_id"},
         {"unk_token", "tokenizer.ggml.unknown_token_id"}}};
    for (const auto& [name, key] : specials)
      if (const auto id = token_id(key)) config[name] = tokens_[*id];
    return config.dump(2) + "\n";
  }

 private:
  std::string text(const std::string& key, const char* otherwise) const {
    const std::string* value = gguf_.get<std::string>(key);
    return value ? *value : otherwise;
  }

  std::optional<size_t> token_id(const std::string& key) const {
    const int64_t* id = gguf_.get<int64_t>(key);
    if (!id) return std::nullopt;
    if (*id < 0 || *id >= static_cast<int64_t>(tokens_.size()))
      throw Error(ErrorCode::model,
                  "the id " + std::to_string(*id) + " is outside the vocabulary of " +
                      std::to_string(tokens_.size()) + " tokens",
                  file_ + ": key '" + key + "'");
    return static_cast<size_t>(*id);
  }

  bool adds_bos() const {
    const bool* flag = gguf_.get<bool>("tokenizer.ggml.add_bos_token");
    return flag ? *flag : family_.add_bos;
  }

  Json added_tokens() const {
    Json added = Json::array();
    const auto* types = gguf_.get<std::vector<int64_t>>("tokenizer.ggml.token_type");
    if (!types) return added;
    if (types->size() != tokens_.size())
      throw Error(ErrorCode::model,
                  std::to_string(types->size()) + " types for " + std::to_string(tokens_.size()) +
                      " tokens",
                  file_ + ": key 'tokenizer.ggml.token_type'");
    for (size_t id = 0; id < tokens_.size(); ++id) {
      const int64_t type = (*types)[id];
      if (type != kControl && type != kUserDefined) continue;
      added.push_back({{"id", id},
                       {"content", tokens_[id]},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", type == kControl}});
    }
    return added;
  }

  Json post_processor() const {
    const auto bos = token_id("tokenizer.ggml.bos_token_id");
    if (!adds_bos() || !bos) return nullptr;
    const std::string& token = tokens_[*bos];
    const auto text_of = [](const char* id, int type) {
      return Json{{"Sequence", {{"id", id}, {"type_id", type}}}};
    };
    const auto bos_of = [&](int type) {
      return Json{{"SpecialToken", {{"id", token}, {"type_id", type}}}};
    };
    return {{"type", "TemplateProcessing"},
            {"single", Json::array({bos_of(0), text_of("A", 0)})},
            {"pair", Json::array({bos_of(0), text_of("A", 0), bos_of(1), text_of("B", 1)})},
            {"special_tokens",
             {{token,
               {{"id", token}, {"ids", Json::array({*bos})}, {"tokens", Json::array({token})}}}}}};
  }

  std::string model_json() const {
    const Json options = {{"type", "BPE"},
                          {"dropout", nullptr},
                          {"unk_token", nullptr},
                          {"continuing_subword_prefix", nullptr},
                          {"end_of_word_suffix", nullptr},
                          {"fuse_unk", false},
                          {"byte_fallback", false},
                          {"ignore_merges", family_.ignore_merges}};
    std::string json = options.dump();
    json.pop_back();
    json += ",\"vocab\":{";
    for (size_t id = 0; id < tokens_.size(); ++id)
      json += (id ? "," : "") + Json(tokens_[id]).dump() + ":" + std::to_string(id);
    return json + "},\"merges\":" +
           Json(gguf_.need<std::vector<std::string>>("tokenizer.ggml.merges")).dump() + "}";
  }

  const GgufFile& gguf_;
  std::string file_;
  const std::vector<std::string>& tokens_;
  Family family_;
};

}  // namespace

Tokenizer Tokenizer::from_gguf(const GgufFile& gguf) {
  const GgufVocabulary vocabulary(gguf);
  Tokenizer tokenizer = from_json(vocabulary.tokenizer_json(), vocabulary.tokenizer_config_json(),
                                  gguf.path().string());
  if (const std::string* chat = gguf.get<std::string>("tokenizer.chat_template"))
    tokenizer.pipeline_->files.emplace("chat_template.jinja", *chat);
  return tokenizer;
}

}  // namespace burnish
