// Where a byte of a rendering comes from, and the bounds on foreign code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace burnish {

/// What a byte of the output is.
enum class Part : uint8_t {
  template_text,  ///< a literal of the template, or computed from none of the messages
  role,
  content,    ///< the text of a message
  reasoning,  ///< reasoning_content (thinking, reasoning)
  tool_call,  ///< anything below tool_calls
  tools,      ///< the tools list, documents
  other,      ///< any other field of a message
};

struct Origin {
  int32_t message = -1;  ///< index into messages; -1: none
  Part part = Part::template_text;
  bool operator==(const Origin&) const = default;
};

/// Bounds on foreign code.
struct RenderLimits {
  int64_t steps = 20'000'000;
  size_t output_bytes = size_t{256} << 20;
  int depth = 100;                        ///< macros within macros
  size_t memory_bytes = size_t{1} << 30;  ///< for the values of one rendering
};

}  // namespace burnish
