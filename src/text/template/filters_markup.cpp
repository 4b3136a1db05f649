// The filters that write values for another language: HTML, URLs, JSON.
#include <cctype>

#include "text/template/access.h"
#include "text/template/filters.h"
#include "text/template/iterate.h"
#include "text/template/json.h"
#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

Value filter_safe(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("safe", arguments, {});
  return Value::of(with_markup(runtime.arena, *soft_text(runtime, input), true));
}

Value filter_escape(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("escape", arguments, {});
  return Value::of(escape(runtime, input));
}

Value filter_forceescape(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("forceescape", arguments, {});
  return Value::of(escape(runtime, *to_text(runtime, input)));
}

Value filter_tojson(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("tojson", arguments,
                         {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ensure_ascii = is_true(runtime, given.get(0));
  style.sort_keys = is_true(runtime, given.get(3));
  if (given.has_value(1)) {
    const Value indent = given.get(1);
    if (indent.is_string()) {
      style.indent = std::string(indent.view());
    } else {
      const int64_t width = given.integer(1, 0);
      if (width > 10000) fail("ValueError", "indent of " + std::to_string(width) + " is too wide");
      style.indent = std::string(static_cast<size_t>(std::max<int64_t>(0, width)), ' ');
    }
  }
  if (given.has_value(2)) {
    const List& pair = *to_list(runtime, given.get(2));
    if (pair.size != 2 || !pair.items[0].is_string() || !pair.items[1].is_string()) {
      fail("ValueError", "separators must be a pair of texts");
    }
    style.item_separator = std::string(pair.items[0].view());
    style.key_separator = std::string(pair.items[1].view());
  }
  return Value::of(to_json(runtime, input, style));
}

/// In a query a blank is written `+`, and the slash is quoted too.
void append_url_quoted(std::string& out, std::string_view text, bool query) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 ||
        (byte < 0x80 && std::string_view("_.-~").find(c) != std::string_view::npos) ||
        (!query && c == '/')) {
      out += c;
    } else if (query && c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
}

const Str* url_quoted(Runtime& runtime, const Value& value, bool query) {
  TextBuilder out(runtime.arena);
  to_text(runtime, value)->for_each_piece([&](std::string_view piece, const Tag& tag) {
    std::string quoted;
    append_url_quoted(quoted, piece, query);
    out.append(quoted, tag);
  });
  return out.finish();
}

Value filter_urlencode(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("urlencode", arguments, {});
  if (input.is_string() || !is_iterable(runtime, input)) {
    return Value::of(url_quoted(runtime, input, false));
  }
  const Value pairs = input.is(Type::dict) ? dict_view(runtime, input, "items") : input;
  TextBuilder out(runtime.arena);
  Iterator* iterator = iterate(runtime, pairs);
  bool first = true;
  for (Value pair; iterator->next(runtime, pair); first = false) {
    const List& parts = *to_list(runtime, pair);
    if (parts.size != 2) fail("ValueError", "urlencode needs pairs");
    if (!first) out.append("&", {});
    out.append(*url_quoted(runtime, parts.items[0], true));
    out.append("=", {});
    out.append(*url_quoted(runtime, parts.items[1], true));
  }
  return Value::of(out.finish());
}

Value filter_xmlattr(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("xmlattr", arguments, {"autospace"});
  if (input.is_undefined()) fail_undefined(input);
  if (!input.is(Type::dict)) fail("TypeError", "xmlattr needs a mapping");
  TextBuilder out(runtime.arena);
  const bool spaced = !given.has(0) || is_true(runtime, given.get(0));
  bool first = true;
  for (uint32_t i = 0; i < input.dict->size; ++i) {
    const Value &key = input.dict->keys[i], &value = input.dict->values[i];
    if (value.is_none() || value.is_undefined()) continue;
    if (!key.is_string()) fail("TypeError", "expected string or bytes-like object");
    if (key.view().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos) {
      fail("ValueError", "Invalid character in attribute name");
    }
    if (spaced || !first) out.append(" ", {});
    first = false;
    out.append(*escape(runtime, key));
    out.append("=\"", {});
    out.append(*escape(runtime, value));
    out.append("\"", {});
  }
  return Value::of(out.finish());
}

constexpr NamedFilter kFilters[] = {
    {"tojson", filter_tojson},
    {"safe", filter_safe},
    {"e", filter_escape},
    {"escape", filter_escape},
    {"forceescape", filter_forceescape},
    {"urlencode", filter_urlencode},
    {"xmlattr", filter_xmlattr},
};

}  // namespace

std::span<const NamedFilter> markup_filters() {
  return kFilters;
}

}  // namespace burnish::jinja
