// Which bytes of a rendered conversation are trained on.
#pragma once

#include <string>
#include <vector>

#include "data/render.h"
#include "text/template/template.h"

namespace burnish {

/// What the masks look at.
struct TargetInput {
  const Conversation& conversation;
  const TextFiles& text;
  const RenderInput& render_input;
  const Rendered& rendered;
  const Encoding& encoding;  ///< of rendered.text
};

/// Sorted spans of rendered.text that do not overlap, by mask:
///   assistant   every assistant turn: from where generation would start to the end of the
///               end-of-turn token that the template writes behind it; the {% generation %} blocks
///               where the template has them
///   last        of these the last
///   completion  the last message, which must be the assistant's
///   generation  the {% generation %} blocks
///   all         everything
/// An empty answer has its end-of-turn token alone.
/// @throws Error(data) where nothing is left ("no assistant turn"), or the template has no
/// {% generation %}; Error(recipe) for an unknown mask.
std::vector<ByteSpan> target_spans(const TargetInput& input, const RenderOptions& options);

}  // namespace burnish
