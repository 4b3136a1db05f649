// Tokens that are cut out of the text before all else: control tokens and what users added.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"
#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/regex.h"
#include "text/tokenizer/token_trie.h"

namespace burnish {

struct AddedToken {
  std::string content;
  bool single_word = false;  ///< only between characters that are not of a word
  bool lstrip = false;       ///< takes the white space before it along
  bool rstrip = false;       ///< takes the white space behind it along
  bool normalized = true;    ///< looked for in the normalised text
  bool special = false;      ///< left out by decode(..., skip_special_tokens)
};

/// A part of a text: an added token, or (id -1) what lies between two.
struct TextPart {
  size_t begin, end;
  int32_t id;
};

class AddedTokens {
 public:
  /// A token of the same id is replaced.
  void add(AddedToken token, int32_t id);
  /// To be called when all tokens are there. @throws Error(unsupported) for a token of more than
  /// 4 KiB, which would make the search slow.
  void prepare(const Normalizer* normalizer, const std::string& file);

  const AddedToken* find(int32_t id) const;
  const std::map<int32_t, AddedToken>& all() const { return tokens_; }

  /// Parts that cover the text. @param is_plain says whether bytes [begin, end) may not be a token.
  template <class IsPlain>
  std::vector<TextPart> cut(std::string_view text, bool normalized, IsPlain&& is_plain,
                            RegexScratch& scratch) const {
    std::vector<TextPart> parts;
    const TokenTrie& trie = normalized ? normalized_ : raw_;
    size_t end = 0;  // of the parts
    for (size_t at = 0; (at = trie.next_start(text, at)) < text.size();) {
      const auto match = trie.longest(text, at, is_plain);
      if (!match) {
        ++at;
        continue;
      }
      add_part({at, at + match->length, match->id}, text, end, parts, scratch);
      at += match->length;
    }
    if (end < text.size()) parts.push_back({end, text.size(), -1});
    return parts;
  }

 private:
  void add_part(TextPart match, std::string_view text, size_t& end, std::vector<TextPart>& parts,
                RegexScratch& scratch) const;
  bool is_word(std::string_view character, RegexScratch& scratch) const;

  std::map<int32_t, AddedToken> tokens_;
  TokenTrie raw_, normalized_;
  std::optional<Regex> word_;  // one character of a word; only if a token needs it
};

}  // namespace burnish
