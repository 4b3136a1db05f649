// Text of ids that arrive one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer/tokenizer.h"

namespace burnish {

/// The pieces that push() and finish() give are whole characters, and together what
/// decode(ids, true) gives; special tokens give nothing. The tokenizer must outlive it.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// What became certain with this id; a character that may go on in the next one is held back.
  std::string push(int32_t id);
  /// What was held back, as U+FFFD where it is no whole character.
  std::string finish();

 private:
  std::string text_beyond(size_t certain, const std::string& text);

  const Tokenizer& tokenizer_;
  std::vector<int32_t>
      ids_;               ///< a piece that was given, which decoders look back to, and what follows
  size_t given_ids_ = 0;  ///< of ids_
  size_t given_bytes_ = 0;  ///< of their text
};

}  // namespace burnish
