// Python's two ways to format: "..." % values and "...".format(...).
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

/// str.format; the format's own characters keep their origin, the values theirs.
const Str* format_braces(Runtime& runtime, const Str& format, const Arguments& arguments);

/// One conversion of either way.
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  ///< one of < > = ^, or 0: by type
  char sign = '-';
  bool alternate = false;
  char grouping = 0;  ///< , or _
  int64_t width = 0;
  int64_t precision = -1;
  char type = 0;
};

/// A number as the spec wants it, without padding.
std::string format_number(const Value& number, const FormatSpec& spec);

/// Appends `text`, padded to the width; numbers put the fill behind their sign for '='.
void append_padded(TextBuilder& out, const Str& text, const FormatSpec& spec, char default_align,
                   const Tag& tag);

}  // namespace burnish::jinja
