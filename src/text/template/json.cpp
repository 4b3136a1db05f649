#include "text/template/json.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "text/template/operators.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

void append_escape(std::string& out, uint32_t unit) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 15];
}

void append_character(std::string& out, char32_t c, bool ensure_ascii) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\b':
      out += "\\b";
      return;
    default:
      break;
  }
  if (c < 0x20) {
    append_escape(out, c);
  } else if (c < 0x7f || !ensure_ascii) {
    append_utf8(out, c);
  } else if (c < 0x10000) {
    append_escape(out, c);
  } else {
    append_escape(out, 0xd800 + ((c - 0x10000) >> 10));
    append_escape(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
  }
}

class Writer {
 public:
  Writer(Runtime& runtime, const JsonStyle& style)
      : runtime_(runtime), style_(style), out_(runtime.arena, 256) {
    const bool lines = style.indent.has_value();
    item_separator_ = style.item_separator.value_or(lines ? "," : ", ");
    key_separator_ = style.key_separator.value_or(": ");
  }

  void write(const Value& value, int depth);
  const Str* finish() { return out_.finish(); }

 private:
  void write_text(const Str& text);
  void write_items(const Value& value, int depth);
  void write_dict(const Value& value, int depth);
  void write_key(const Value& key, const Tag& tag);
  void break_line(int depth, const Tag& tag);
  std::vector<uint32_t> order_of(const Dict& dict) const;

  Runtime& runtime_;
  const JsonStyle& style_;
  TextBuilder out_;
  std::string item_separator_, key_separator_;
};

void Writer::write(const Value& value, int depth) {
  if (depth > kMaxNesting) fail("RecursionError", "lists are nested too deeply for JSON");
  runtime_.charge(1);
  switch (value.type) {
    case Type::none:
      return out_.append("null", value.tag());
    case Type::boolean:
      return out_.append(value.boolean ? "true" : "false", value.tag());
    case Type::integer:
      return out_.append(std::to_string(value.integer), value.tag());
    case Type::big_integer:
      return out_.append(value.view(), value.tag());
    case Type::real:
      if (std::isnan(value.real)) return out_.append("NaN", value.tag());
      if (std::isinf(value.real)) {
        return out_.append(value.real < 0 ? "-Infinity" : "Infinity", value.tag());
      }
      return out_.append(repr_of_real(value.real), value.tag());
    case Type::string:
      return write_text(*value.text);
    case Type::list:
    case Type::tuple:
      return write_items(value, depth);
    case Type::dict:
      return write_dict(value, depth);
    default:
      fail("TypeError",
           "Object of type " + std::string(type_name(value)) + " is not JSON serializable");
  }
}

void Writer::write_text(const Str& text) {
  const Tag tag = text.tag();
  out_.append("\"", tag);
  text.for_each_piece([&](std::string_view piece, const Tag& piece_tag) {
    std::string escaped;
    escaped.reserve(piece.size() + piece.size() / 8);
    for (size_t at = 0; at < piece.size();) {
      append_character(escaped, next_character(piece, at), style_.ensure_ascii);
    }
    out_.append(escaped, piece_tag);
  });
  out_.append("\"", tag);
}

void Writer::break_line(int depth, const Tag& tag) {
  if (!style_.indent) return;
  out_.append("\n", tag);
  out_.repeat(*style_.indent, static_cast<size_t>(depth), tag);
}

void Writer::write_items(const Value& value, int depth) {
  const Tag tag = value.tag();
  if (value.list->size == 0) return out_.append("[]", tag);
  out_.append("[", tag);
  for (uint32_t i = 0; i < value.list->size; ++i) {
    if (i > 0) out_.append(item_separator_, tag);
    break_line(depth + 1, tag);
    write(value.list->items[i], depth + 1);
  }
  break_line(depth, tag);
  out_.append("]", tag);
}

void Writer::write_key(const Value& key, const Tag& tag) {
  switch (key.type) {
    case Type::string:
      return write_text(*key.text);
    case Type::none:
    case Type::boolean:
    case Type::integer:
    case Type::big_integer:
    case Type::real:
      out_.append("\"", tag);
      write(key, 0);
      return out_.append("\"", tag);
    default:
      fail("TypeError",
           "keys must be str, int, float, bool or None, not " + std::string(type_name(key)));
  }
}

std::vector<uint32_t> Writer::order_of(const Dict& dict) const {
  std::vector<uint32_t> order(dict.size);
  for (uint32_t i = 0; i < dict.size; ++i) order[i] = i;
  if (style_.sort_keys) {
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return less(runtime_, dict.keys[a], dict.keys[b]);
    });
  }
  return order;
}

void Writer::write_dict(const Value& value, int depth) {
  const Tag tag = value.tag();
  const Dict& dict = *value.dict;
  if (dict.size == 0) return out_.append("{}", tag);
  out_.append("{", tag);
  bool first = true;
  for (uint32_t i : order_of(dict)) {
    if (!first) out_.append(item_separator_, tag);
    first = false;
    break_line(depth + 1, tag);
    write_key(dict.keys[i], tag);
    out_.append(key_separator_, tag);
    write(dict.values[i], depth + 1);
  }
  break_line(depth, tag);
  out_.append("}", tag);
}

}  // namespace

const Str* to_json(Runtime& runtime, const Value& value, const JsonStyle& style) {
  Writer writer(runtime, style);
  writer.write(value, 0);
  return writer.finish();
}

}  // namespace burnish::jinja
