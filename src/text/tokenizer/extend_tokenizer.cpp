// More special tokens, written into the tokenizer's own files and read from there again.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "text/tokenizer/pipeline.h"
#include "text/tokenizer/tokenizer.h"

namespace burnish {
namespace {

using nlohmann::ordered_json;

// Files that were read once already, or that are made here.
ordered_json parsed(const std::string& text) {
  return text.empty() ? ordered_json::object() : ordered_json::parse(text);
}

ordered_json special_token(const std::string& content) {
  return {{"content", content}, {"single_word", false}, {"lstrip", false},
          {"rstrip", false},    {"normalized", false},  {"special", true}};
}

void set_eos(Tokenizer::Files& files, const std::string& eos) {
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
    if (name != std::string("tokenizer_config.json") && !files.contains(name)) continue;
    std::string& text = files[name];
    ordered_json json = parsed(text);
    json["eos_token"] = eos;
    text = json.dump(2) + "\n";
  }
}

}  // namespace

Tokenizer Tokenizer::extended(std::span<const std::string> tokens,
                              const std::optional<std::string>& eos) const {
  Files extended_files = files();
  ordered_json json = parsed(extended_files["tokenizer.json"]);
  ordered_json& added = json["added_tokens"];
  int32_t next = size();
  for (const std::string& token : tokens) {
    if (token.empty())
      throw Error(ErrorCode::recipe, "an added token is empty", "model.add_tokens");
    const std::optional<int32_t> there = id_of(token);
    if (there && pipeline_->added_tokens.find(*there)) continue;
    ordered_json entry{{"id", there ? *there : next++}};
    entry.update(special_token(token));
    added.push_back(std::move(entry));
  }
  extended_files["tokenizer.json"] = json.dump(1) + "\n";
  if (eos) set_eos(extended_files, *eos);
  Tokenizer result = from_files(std::move(extended_files), pipeline_->name);
  if (eos && (!result.id_of(*eos) || *result.id_of(*eos) >= next))
    throw Error(ErrorCode::recipe, "'" + *eos + "' is no token of the model", "model.eos_token",
                "Name it in model.add_tokens too");
  return result;
}

}  // namespace burnish
