// json.dumps as the chat templates' tojson filter calls it.
#pragma once

#include <optional>

#include "text/template/runtime.h"

namespace burnish::jinja {

struct JsonStyle {
  bool ensure_ascii = false;
  bool sort_keys = false;
  std::optional<std::string> indent;  ///< one level; none: all on one line
  std::optional<std::string> item_separator, key_separator;
};

/// Keys, quotes and punctuation have the origin of the list or dict they belong to.
const Str* to_json(Runtime& runtime, const Value& value, const JsonStyle& style);

}  // namespace burnish::jinja
