// Where each message's own text stands in a rendering, and what the template wrote around it. Read
// off the provenance alone: no text is ever searched for headers outside the template's own bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "text/template/template.h"

namespace burnish {

/// A stretch of one message: from the first to the last byte of its content, reasoning or tool
/// calls, with nothing of another message in between.
struct Turn {
  int32_t message = 0;
  ByteSpan own;           ///< empty for a message that left no text: then it stands at role_end
  size_t room_begin = 0;  ///< from here to own.begin: the template's text and this role
  size_t room_end = 0;    ///< from own.end to here: the template's text
  bool has_role = false;  ///< the role was printed from the message
  size_t role_end = 0;    ///< 0 without
  bool ends_in_tool_call = false;
};

/// All turns in order. Messages without a byte in the rendering have none.
std::vector<Turn> find_turns(const Rendered& rendered);

}  // namespace burnish
