// Unicode normalization forms (UAX 15), with alignment.
#pragma once

#include "text/tokenizer/aligned_text.h"

namespace burnish {

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// A composed character stands for the first of the characters it was made of; the characters of
/// a decomposition all stand for the whole; those that were only reordered swap places in pairs
/// (as in the tokenizers package, whose offsets these are).
void normalize(AlignedText& text, NormalForm form);

}  // namespace burnish
