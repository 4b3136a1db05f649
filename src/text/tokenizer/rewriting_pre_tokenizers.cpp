// ByteLevel and Metaspace: they also change the text.
#include <utility>

#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/pattern.h"
#include "text/tokenizer/pre_tokenizer.h"

namespace burnish {
namespace {

constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Writes the text anew, piece by piece; the bytes between pieces are dropped.
template <class WritePiece>
void rewrite_pieces(PreTokenized& pre, WritePiece&& write) {
  AlignedText::Rewrite rewrite(pre.text);
  for (Piece& piece : pre.pieces) {
    const size_t begin = rewrite.size();
    if (piece.id >= 0)
      rewrite.keep(piece.begin, piece.end);
    else
      write(rewrite, piece);
    piece.begin = begin;
    piece.end = rewrite.size();
  }
  rewrite.commit();
}

// Text put before a piece stands for the piece's first character.
ByteSpan first_character(const PreTokenized& pre, const Piece& piece) {
  const size_t length = character_at(pre.text.text(), piece.begin).length;
  return pre.text.original(piece.begin, piece.begin + length);
}

class ByteLevel : public PreTokenizer {
 public:
  ByteLevel(bool add_prefix_space, std::optional<Split> split)
      : add_prefix_space_(add_prefix_space), split_(std::move(split)) {}

  void apply(PreTokenized& pre, RegexScratch& scratch) const override {
    if (add_prefix_space_) add_prefix_space(pre);
    if (split_) split_pieces(pre, *split_, scratch);
    pre.bytes = true;
  }

 private:
  static void add_prefix_space(PreTokenized& pre) {
    rewrite_pieces(pre, [&](AlignedText::Rewrite& rewrite, const Piece& piece) {
      if (piece.begin < piece.end && pre.text.text()[piece.begin] != ' ')
        rewrite.put(" ", first_character(pre, piece));
      rewrite.keep(piece.begin, piece.end);
    });
  }

  bool add_prefix_space_;
  std::optional<Split> split_;
};

class Metaspace : public PreTokenizer {
 public:
  enum class Prepend { always, first, never };
  Metaspace(std::string replacement, Prepend prepend, bool split)
      : replacement_(replacement),
        prepend_(prepend),
        split_(split),
        before_each_{Pattern::string(replacement), SplitBehavior::merged_with_next} {}

  void apply(PreTokenized& pre, RegexScratch& scratch) const override {
    rewrite_pieces(pre, [&](AlignedText::Rewrite& rewrite, const Piece& piece) {
      write(pre, rewrite, piece);
    });
    if (split_) split_pieces(pre, before_each_, scratch);
  }

 private:
  void write(const PreTokenized& pre, AlignedText::Rewrite& rewrite, const Piece& piece) const {
    const std::string_view text = pre.text.text().substr(0, piece.end);
    const bool starts_with_it =
        text[piece.begin] == ' ' || text.substr(piece.begin).starts_with(replacement_);
    const bool is_first = pre.text.original(piece.begin, piece.end).begin == 0;
    if (!starts_with_it &&
        (prepend_ == Prepend::always || (prepend_ == Prepend::first && is_first)))
      rewrite.put(replacement_, first_character(pre, piece));
    for (size_t at = piece.begin; at < piece.end;) {
      const size_t space = std::min(text.find(' ', at), piece.end);
      rewrite.keep(at, space);
      if (space < piece.end) rewrite.put(replacement_, pre.text.original(space, space + 1));
      at = space + 1;
    }
  }

  std::string replacement_;
  Prepend prepend_;
  bool split_;
  Split before_each_;
};

Metaspace::Prepend prepend_from(const JsonValue& json) {
  const std::string name = json["prepend_scheme"].string_or("always");
  if (!json["add_prefix_space"].boolean_or(true)) {  // files from before prepend_scheme
    if (!json["prepend_scheme"].is_null() && name != "never")
      json["add_prefix_space"].refuse("false contradicts prepend_scheme \"" + name + "\"");
    return Metaspace::Prepend::never;
  }
  if (name == "always") return Metaspace::Prepend::always;
  if (name == "first") return Metaspace::Prepend::first;
  if (name == "never") return Metaspace::Prepend::never;
  json["prepend_scheme"].refuse("\"" + name + "\" is not always, first or never");
}

}  // namespace

void spell_bytes(PreTokenized& pre) {
  rewrite_pieces(pre, [&](AlignedText::Rewrite& rewrite, const Piece& piece) {
    for (size_t at = piece.begin; at < piece.end; ++at)
      rewrite.put(ByteAlphabet::get().character_of(static_cast<uint8_t>(pre.text.text()[at])),
                  pre.text.original(at, at + 1));
  });
  pre.bytes = false;
}

std::unique_ptr<PreTokenizer> make_byte_level_pre_tokenizer(const JsonValue& json) {
  std::optional<Split> split;
  if (json["use_regex"].boolean_or(true))
    split = Split{Pattern::regex(kGpt2Pattern, json.where()), SplitBehavior::isolated};
  json["trim_offsets"].boolean();
  return std::make_unique<ByteLevel>(json["add_prefix_space"].boolean(), std::move(split));
}

std::unique_ptr<PreTokenizer> make_metaspace_pre_tokenizer(const JsonValue& json) {
  const std::string& replacement = json["replacement"].string();
  if (replacement.empty() || character_at(replacement, 0).length != replacement.size())
    json["replacement"].refuse("one character is needed, not \"" + replacement + "\"");
  return std::make_unique<Metaspace>(replacement, prepend_from(json),
                                     json["split"].boolean_or(true));
}

}  // namespace burnish
