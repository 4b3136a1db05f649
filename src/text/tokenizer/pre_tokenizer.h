// The stage that cuts a text into the pieces that the model sees one by one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/aligned_text.h"
#include "text/tokenizer/json_value.h"
#include "text/tokenizer/regex.h"

namespace burnish {

struct Split;

struct Piece {
  size_t begin, end;  ///< bytes of the text
  int32_t id = -1;    ///< an added token that was cut out: no stage touches it any more
};

struct PreTokenized {
  AlignedText text;
  std::vector<Piece> pieces;
  /// The pieces are bytes that stand for characters of the byte alphabet (as ByteLevel leaves
  /// them), not yet spelled out: a model that can reads them so.
  bool bytes = false;
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void apply(PreTokenized& pre, RegexScratch& scratch) const = 0;
};

/// From the value of `pre_tokenizer`; nullptr for null.
/// @throws Error(model), Error(unsupported) naming file and key
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const JsonValue& json);

/// Cuts every piece by `split`.
void split_pieces(PreTokenized& pre, const Split& split, RegexScratch& scratch);

/// Spells the bytes of `pre` out in the byte alphabet.
void spell_bytes(PreTokenized& pre);

/// The members of a Sequence, behind each other.
std::unique_ptr<PreTokenizer> make_sequence_pre_tokenizer(const JsonValue& json, int depth);
std::unique_ptr<PreTokenizer> make_split_pre_tokenizer(const JsonValue& json);
std::unique_ptr<PreTokenizer> make_byte_level_pre_tokenizer(const JsonValue& json);
std::unique_ptr<PreTokenizer> make_digits_pre_tokenizer(const JsonValue& json);
std::unique_ptr<PreTokenizer> make_metaspace_pre_tokenizer(const JsonValue& json);

}  // namespace burnish
