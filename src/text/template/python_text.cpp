#include "text/template/python_text.h"

#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

void append_hex(std::string& out, char kind, char32_t c, int digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '\\';
  out += kind;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 15];
}

void append_escaped(std::string& out, char32_t c, char quote) {
  if (c == static_cast<unsigned char>(quote) || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (is_printable(c)) {
    append_utf8(out, c);
  } else if (c < 0x100) {
    append_hex(out, 'x', c, 2);
  } else if (c < 0x10000) {
    append_hex(out, 'u', c, 4);
  } else {
    append_hex(out, 'U', c, 8);
  }
}

void append_repr_of_text(TextBuilder& out, const Str& text) {
  const std::string_view all = text.view();
  const bool single = all.find('\'') == std::string_view::npos;
  const char quote = single || all.find('"') != std::string_view::npos ? '\'' : '"';
  const Tag tag = text.tag();
  if (text.markup) out.append("Markup(", tag);
  out.append(std::string_view(&quote, 1), tag);
  text.for_each_piece([&](std::string_view piece, const Tag& piece_tag) {
    std::string escaped;
    for (size_t at = 0; at < piece.size();)
      append_escaped(escaped, next_character(piece, at), quote);
    out.append(escaped, piece_tag);
  });
  out.append(std::string_view(&quote, 1), tag);
  if (text.markup) out.append(")", tag);
}

void append_repr_of_items(Runtime& runtime, TextBuilder& out, const Value& value, int depth) {
  const Tag tag = value.tag();
  const bool is_tuple = value.is(Type::tuple);
  out.append(is_tuple ? "(" : "[", tag);
  bool first = true;
  for (const Value& item : value.items()) {
    if (!first) out.append(", ", tag);
    first = false;
    append_repr(runtime, out, item, depth + 1);
  }
  if (is_tuple && value.list->size == 1) out.append(",", tag);
  out.append(is_tuple ? ")" : "]", tag);
}

void append_repr_of_dict(Runtime& runtime, TextBuilder& out, const Value& value, int depth) {
  const Tag tag = value.tag();
  out.append("{", tag);
  for (uint32_t i = 0; i < value.dict->size; ++i) {
    if (i > 0) out.append(", ", tag);
    append_repr(runtime, out, value.dict->keys[i], depth + 1);
    out.append(": ", tag);
    append_repr(runtime, out, value.dict->values[i], depth + 1);
  }
  out.append("}", tag);
}

std::string repr_of_range(const Range& range) {
  std::string text = "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
  if (range.step != 1) text += ", " + std::to_string(range.step);
  return text + ")";
}

}  // namespace

void append_repr(Runtime& runtime, TextBuilder& out, const Value& value, int depth) {
  if (depth > kMaxNesting) fail("RecursionError", "lists are nested too deeply");
  runtime.charge(1);
  switch (value.type) {
    case Type::missing:
    case Type::undefined:
      return out.append("Undefined", value.tag());
    case Type::none:
      return out.append("None", value.tag());
    case Type::boolean:
      return out.append(value.boolean ? "True" : "False", value.tag());
    case Type::integer:
      return out.append(std::to_string(value.integer), value.tag());
    case Type::big_integer:
      return out.append(value.view(), value.tag());
    case Type::real:
      return out.append(repr_of_real(value.real), value.tag());
    case Type::string:
      return append_repr_of_text(out, *value.text);
    case Type::list:
    case Type::tuple:
      return append_repr_of_items(runtime, out, value, depth);
    case Type::dict:
      return append_repr_of_dict(runtime, out, value, depth);
    case Type::range:
      return out.append(repr_of_range(*value.range), value.tag());
    case Type::object:
      if (const List* view = value.object->as_view(runtime)) {
        out.append(std::string(value.object->type_name()) + "(", value.tag());
        append_repr(runtime, out, Value::list_of(view).with_origin(value.tag()), depth + 1);
        return out.append(")", value.tag());
      }
      return out.append(value.object->describe(runtime, depth), value.tag());
  }
}

void append_text(Runtime& runtime, TextBuilder& out, const Value& value) {
  if (value.is_string()) {
    out.append(*value.text);
  } else if (!value.is_undefined() && !value.is(Type::missing)) {
    append_repr(runtime, out, value);
  }
}

const Str* to_text(Runtime& runtime, const Value& value) {
  if (value.is_string()) return with_markup(runtime.arena, *value.text, false);
  TextBuilder out(runtime.arena);
  append_text(runtime, out, value);
  return out.finish();
}

const Str* soft_text(Runtime& runtime, const Value& value) {
  return value.is_string() ? value.text : to_text(runtime, value);
}

}  // namespace burnish::jinja
