// str's operations on texts, shared by its methods and the filters. All keep origins.
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

/// Counts the work of looking for `wanted` in `text`; in the worst case it is their product.
void charge_search(Runtime& runtime, std::string_view text, std::string_view wanted);

enum class Side : uint8_t { left, right, both };
/// strip, lstrip, rstrip: white space, or the characters of `characters`.
const Str* strip(Runtime& runtime, const Str& text, const Str* characters, Side side);

/// At most `count` replacements, all if negative.
const Str* replace(Runtime& runtime, const Str& text, const Str& old, const Str& replacement,
                   int64_t count);

enum class Case : uint8_t { upper, lower, title, capitalize, swap, fold };
const Str* change_case(Runtime& runtime, const Str& text, Case to);

/// Pieces as a list; `separator` null: white space.
const List* split(Runtime& runtime, const Str& text, const Str* separator, int64_t most);
const List* split_right(Runtime& runtime, const Str& text, const Str* separator, int64_t most);
const List* split_lines(Runtime& runtime, const Str& text, bool keep_ends);

/// separator.join(items); every item must be a text.
const Str* join(Runtime& runtime, const Str& separator, const List& items);

/// Filled with `fill` (one character) to `width` characters; the padding has the text's origin.
const Str* pad(Runtime& runtime, const Str& text, int64_t width, const Str* fill, Side padded);

}  // namespace burnish::jinja
