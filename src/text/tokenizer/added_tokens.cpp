#include "text/tokenizer/added_tokens.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "text/tokenizer/characters.h"

namespace burnish {
namespace {

constexpr size_t kLongest = 4096;

void check_length(std::string_view token, int32_t id, const std::string& file) {
  if (token.size() > kLongest)
    throw Error(ErrorCode::unsupported,
                "the added token " + std::to_string(id) + " has " + std::to_string(token.size()) +
                    " bytes; at most " + std::to_string(kLongest) + " are read",
                file + ": key 'added_tokens'");
}

}  // namespace

void AddedTokens::add(AddedToken token, int32_t id) {
  tokens_[id] = std::move(token);
}

void AddedTokens::prepare(const Normalizer* normalizer, const std::string& file) {
  std::vector<std::pair<std::string, int32_t>> raw, normalized;
  size_t raw_bytes = 0, normalized_bytes = 0;
  RegexScratch scratch;
  for (const auto& [id, token] : tokens_) {
    check_length(token.content, id, file);
    if (token.single_word && !word_)
      word_ = Regex(R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}])", file);
    AlignedText text(token.content, {0, token.content.size()});
    if (token.normalized && normalizer) normalizer->apply(text, scratch);
    check_length(text.text(), id, file);
    if (text.text().empty()) continue;
    (token.normalized ? normalized : raw).emplace_back(text.text(), id);
    (token.normalized ? normalized_bytes : raw_bytes) += text.text().size();
  }
  raw_ = TokenTrie(raw_bytes);
  normalized_ = TokenTrie(normalized_bytes);
  for (const auto& [text, id] : raw) raw_.add(text, id);
  for (const auto& [text, id] : normalized) normalized_.add(text, id);
}

const AddedToken* AddedTokens::find(int32_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? nullptr : &found->second;
}

void AddedTokens::add_part(TextPart match, std::string_view text, size_t& end,
                           std::vector<TextPart>& parts, RegexScratch& scratch) const {
  const AddedToken& token = tokens_.at(match.id);
  if (token.single_word) {
    const auto word = [&](size_t at, size_t length) {
      return is_word(text.substr(at, length), scratch);
    };
    if (match.begin > 0) {
      const size_t length = character_before(text, match.begin).length;
      if (word(match.begin - length, length)) return;
    }
    if (match.end < text.size() && word(match.end, character_at(text, match.end).length)) return;
  }
  if (token.lstrip) {
    size_t begin = match.begin;
    while (begin > end && is_white_space(character_before(text, begin).code))
      begin -= character_before(text, begin).length;
    match.begin = std::max(begin, end);  // the token before may have taken the white space
  }
  if (token.rstrip) {
    match.end = std::max(match.end, end);  // what the token before took is white space up to there
    while (match.end < text.size() && is_white_space(character_at(text, match.end).code))
      match.end += character_at(text, match.end).length;
  }
  if (end < match.begin) parts.push_back({end, match.begin, -1});
  parts.push_back(match);
  end = match.end;
}

bool AddedTokens::is_word(std::string_view character, RegexScratch& scratch) const {
  return word_->find(character, 0, scratch).has_value();
}

}  // namespace burnish
