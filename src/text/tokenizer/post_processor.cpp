#include "text/tokenizer/post_processor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/characters.h"

namespace burnish {
namespace {

// Offsets without the white space with which a token begins or ends.
class TrimOffsets : public PostProcessor {
 public:
  TrimOffsets(bool add_prefix_space, const Vocabulary& vocabulary)
      : add_prefix_space_(add_prefix_space), vocabulary_(vocabulary) {}

  void apply(TokenSequence& tokens, const PostProcessorInput& input) const override {
    auto cut_out = tokens.cut_out.begin();
    for (size_t i = 0; i < tokens.ids.size(); ++i) {
      ByteSpan& span = tokens.offsets[i];
      const bool cut = cut_out != tokens.cut_out.end() && *cut_out == i;
      if (cut) ++cut_out;
      const std::string* token = vocabulary_.token(tokens.ids[i]);
      trim(cut || !token ? input.original.substr(span.begin, span.end - span.begin) : *token,
           i == 0 || span.begin == 0, input.original, span);
    }
  }

 private:
  static bool is_space(char32_t code) {
    static const char32_t space = ByteAlphabet::get().character_of(' ');
    return code == space || is_white_space(code);
  }

  static size_t leading_spaces(std::string_view token) {
    size_t count = 0;
    for (size_t at = 0; at < token.size(); ++count) {
      const Character character = character_at(token, at);
      if (!is_space(character.code)) break;
      at += character.length;
    }
    return count;
  }

  static size_t trailing_spaces(std::string_view token) {
    size_t count = 0;
    for (size_t end = token.size(); end > 0; ++count) {
      const Character character = character_before(token, end);
      if (!is_space(character.code)) break;
      end -= character.length;
    }
    return count;
  }

  void trim(std::string_view token, bool is_first, std::string_view text, ByteSpan& span) const {
    size_t leading = leading_spaces(token);
    if (is_first && add_prefix_space_ && leading == 1) leading = 0;  // the one that was added
    for (; leading > 0 && span.begin < span.end; --leading)
      span.begin += character_at(text, span.begin).length;
    size_t end = span.end;
    size_t left = trailing_spaces(token);
    for (; left > 0 && end > 0; --left) end -= character_before(text, end).length;
    if (left == 0) span.end = std::max(end, span.begin);  // else there are not that many characters
  }

  bool add_prefix_space_;
  const Vocabulary& vocabulary_;
};

// The `single` template: special tokens before and behind the text.
class Template : public PostProcessor {
 public:
  Template(const JsonValue& json, const Vocabulary& vocabulary) {
    bool seen_text = false;
    for (const JsonValue& part : json["single"].items()) {
      if (const JsonValue text = part["Sequence"]; !text.is_null()) {
        if (text["id"].string() != "A" || seen_text)
          text.refuse("the template of a single text holds the sequence A once");
        seen_text = true;
      } else {
        add_special(part["SpecialToken"], json["special_tokens"], vocabulary,
                    seen_text ? after_ : before_);
      }
    }
    if (!seen_text) json["single"].refuse("the template lacks the sequence A");
  }

  void apply(TokenSequence& tokens, const PostProcessorInput& input) const override {
    if (!input.add_special_tokens) return;
    tokens.ids.insert(tokens.ids.begin(), before_.begin(), before_.end());
    tokens.offsets.insert(tokens.offsets.begin(), before_.size(), ByteSpan{});
    tokens.ids.insert(tokens.ids.end(), after_.begin(), after_.end());
    tokens.offsets.resize(tokens.ids.size());
    for (size_t& index : tokens.cut_out) index += before_.size();
  }

 private:
  static void add_special(const JsonValue& part, const JsonValue& specials,
                          const Vocabulary& vocabulary, std::vector<int32_t>& ids) {
    const JsonValue special = specials[part["id"].string()];
    if (special.is_null()) part.refuse("this special token is missing in special_tokens");
    for (const JsonValue& json : special["ids"].items()) {
      if (ids.size() >= kMostIds)
        special.refuse("the template has more than " + std::to_string(kMostIds) + " tokens");
      const auto id = static_cast<int32_t>(json.integer(0, vocabulary.end_id() - 1));
      if (!vocabulary.token(id)) json.refuse("no token has the id " + std::to_string(id));
      ids.push_back(id);
    }
  }

  static constexpr size_t kMostIds = 1000;  // a list of ids can stand there many times
  std::vector<int32_t> before_, after_;
};

class Sequence : public PostProcessor {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PostProcessor>> members)
      : members_(std::move(members)) {}
  void apply(TokenSequence& tokens, const PostProcessorInput& input) const override {
    for (const auto& member : members_)
      if (member) member->apply(tokens, input);
  }

 private:
  std::vector<std::unique_ptr<PostProcessor>> members_;
};

std::unique_ptr<PostProcessor> make(const JsonValue& json, const Vocabulary& vocabulary,
                                    int depth) {
  const std::string& type = json["type"].string();
  if (type == "TemplateProcessing") return std::make_unique<Template>(json, vocabulary);
  if (type == "ByteLevel") {
    const bool add_prefix_space = json["add_prefix_space"].boolean();
    if (!json["trim_offsets"].boolean()) return nullptr;  // nothing else to do
    return std::make_unique<TrimOffsets>(add_prefix_space, vocabulary);
  }
  if (type != "Sequence") json.unsupported("the post-processor '" + type + "' is not there yet");
  if (depth >= kDeepestSequence) json.refuse("the sequences are nested too deep");
  std::vector<std::unique_ptr<PostProcessor>> members;
  for (const JsonValue& member : json["processors"].items())
    members.push_back(make(member, vocabulary, depth + 1));
  return std::make_unique<Sequence>(std::move(members));
}

}  // namespace

std::unique_ptr<PostProcessor> make_post_processor(const JsonValue& json,
                                                   const Vocabulary& vocabulary) {
  return json.is_null() ? nullptr : make(json, vocabulary, 0);
}

}  // namespace burnish
