// Split and Digits: pieces are cut, the text stays.
#include <utility>

#include "text/tokenizer/characters.h"
#include "text/tokenizer/pattern.h"
#include "text/tokenizer/pre_tokenizer.h"

namespace burnish {
namespace {

class SplitPreTokenizer : public PreTokenizer {
 public:
  explicit SplitPreTokenizer(Split split) : split_(std::move(split)) {}

  void apply(PreTokenized& pre, RegexScratch& scratch) const override {
    split_pieces(pre, split_, scratch);
  }

 private:
  Split split_;
};

class Digits : public PreTokenizer {
 public:
  explicit Digits(bool individual) : individual_(individual) {}

  void apply(PreTokenized& pre, RegexScratch&) const override {
    const std::string_view text = pre.text.text();
    std::vector<Piece> pieces;
    for (const Piece& piece : pre.pieces) {
      if (piece.id >= 0)
        pieces.push_back(piece);
      else
        cut(text, piece, pieces);
    }
    pre.pieces = std::move(pieces);
  }

 private:
  void cut(std::string_view text, const Piece& piece, std::vector<Piece>& pieces) const {
    size_t begin = piece.begin;
    bool in_number = false;
    for (size_t at = piece.begin; at < piece.end;) {
      const Character character = character_at(text, at);
      const bool number = is_number(character.code);
      if (at > begin && (number != in_number || (number && individual_))) {
        pieces.push_back({begin, at});
        begin = at;
      }
      in_number = number;
      at += character.length;
    }
    if (begin < piece.end) pieces.push_back({begin, piece.end});
  }

  bool individual_;
};

SplitBehavior behavior_from(const JsonValue& json) {
  const std::string& name = json.string();
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  json.refuse("\"" + name + "\" is no behaviour of a Split");
}

}  // namespace

void split_pieces(PreTokenized& pre, const Split& split, RegexScratch& scratch) {
  const std::string_view text = pre.text.text();
  std::vector<Piece> pieces;
  pieces.reserve(pre.pieces.size() + text.size() / 4);
  for (const Piece& piece : pre.pieces) {
    if (piece.id >= 0) {
      pieces.push_back(piece);
      continue;
    }
    split.for_each_part(text.substr(piece.begin, piece.end - piece.begin), scratch,
                        [&](size_t begin, size_t end) {
                          pieces.push_back({piece.begin + begin, piece.begin + end});
                        });
  }
  pre.pieces = std::move(pieces);
}

std::unique_ptr<PreTokenizer> make_split_pre_tokenizer(const JsonValue& json) {
  return std::make_unique<SplitPreTokenizer>(Split{Pattern::from_json(json["pattern"]),
                                                   behavior_from(json["behavior"]),
                                                   json["invert"].boolean_or(false)});
}

std::unique_ptr<PreTokenizer> make_digits_pre_tokenizer(const JsonValue& json) {
  return std::make_unique<Digits>(json["individual_digits"].boolean_or(false));
}

}  // namespace burnish
