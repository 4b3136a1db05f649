// MarkupSafe's Markup: a text that is known to be safe HTML; what is added to it is escaped.
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

/// The text with & < > ' " as entities, as markup; markup stays as it is.
const Str* escape(Runtime& runtime, const Str& text);
const Str* escape(Runtime& runtime, const Value& value);

}  // namespace burnish::jinja
