// Conversation -> text and what of it is trained on -> tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/conversation.h"
#include "data/sample.h"
#include "text/load.h"

namespace burnish {

struct RenderOptions {
  std::string mask = "assistant";
  bool trailing_newline = false;  ///< the newline behind an end-of-turn is a target too
  bool plain_content = true;      ///< message text never becomes a control token
  std::time_t now = 0;
};

/// A rendered conversation before it is cut to length: text, its targets, ids.
struct RenderedSample {
  Sample sample;
  std::string text;
  std::vector<ByteSpan> target_spans;  ///< parts of `text` that are trained on
  std::vector<ByteSpan> offsets;       ///< one a token
};

/// @throws Error(data) with file:line for what the template refuses, for a conversation without a
/// target where the mask needs one ("no assistant turn"), for a mask that the template cannot give.
RenderedSample render_sample(const Conversation& conversation, const TextFiles& text,
                             const RenderOptions& options);

}  // namespace burnish
