#include "text/template/markup.h"

#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '\'':
      return "&#39;";
    case '"':
      return "&#34;";
    default:
      return {};
  }
}

}  // namespace

const Str* escape(Runtime& runtime, const Str& text) {
  if (text.markup) return &text;
  if (text.view().find_first_of("&<>'\"") == std::string_view::npos) {
    return with_markup(runtime.arena, text, true);
  }
  TextBuilder out(runtime.arena, text.size + 16);
  text.for_each_piece([&](std::string_view piece, const Tag& tag) {
    size_t plain = 0;
    for (size_t i = 0; i < piece.size(); ++i) {
      const std::string_view replacement = entity(piece[i]);
      if (replacement.empty()) continue;
      out.append(piece.substr(plain, i - plain), tag);
      out.append(replacement, tag);
      plain = i + 1;
    }
    out.append(piece.substr(plain), tag);
  });
  return out.finish(true);
}

const Str* escape(Runtime& runtime, const Value& value) {
  if (value.is_string()) return escape(runtime, *value.text);
  return escape(runtime, *to_text(runtime, value));
}

}  // namespace burnish::jinja
