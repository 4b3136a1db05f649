// Conversation -> text and what of it is trained on -> tokens.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "data/conversation.h"
#include "data/sample.h"
#include "text/load.h"

namespace burnish {

struct RenderOptions {
  std::string mask = "assistant";  ///< see target_spans
  bool trailing_newline = false;   ///< the newline behind an end-of-turn is a target too
  bool plain_content = true;       ///< message text never becomes a control token
  std::time_t now = 0;             ///< what strftime_now sees
};

/// A rendered conversation before it is cut to length: text, its targets, ids.
struct RenderedSample {
  Sample sample;
  std::string text;
  std::vector<ByteSpan> target_spans;  ///< parts of `text` that are trained on
  std::vector<ByteSpan> offsets;       ///< one a token
};

/// Messages go through the chat template and are encoded without special tokens of the tokenizer's
/// own. A token is a target if any of its bytes is in a target span (a token that begins with the
/// header's last byte is one), but never the first token of the sample.
/// Plain text is encoded with the tokenizer's special tokens, control tokens in it are recognised
/// whatever plain_content says (there is no template to write them), it ends in exactly one eos,
/// and every token but the first is a target whatever the mask.
/// @throws Error(model) for messages without a chat template, text without an eos token;
/// Error(data) with file:line for what the template refuses, for a conversation without a
/// target where the mask needs one ("no assistant turn"), for a mask that the template cannot give.
RenderedSample render_sample(const Conversation& conversation, const TextFiles& text,
                             const RenderOptions& options);

}  // namespace burnish
