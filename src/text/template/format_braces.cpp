#include <algorithm>

#include "text/template/access.h"
#include "text/template/format.h"
#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

int64_t number_of(std::string_view digits) {
  if (digits.size() > 9) fail("ValueError", "Too many decimal digits in format string");
  int64_t number = 0;
  for (char c : digits) number = number * 10 + (c - '0');
  return number;
}

FormatSpec read_spec(std::string_view text) {
  FormatSpec spec;
  size_t at = 0;
  const auto is_align = [](char c) { return c == '<' || c == '>' || c == '=' || c == '^'; };
  if (!text.empty()) {
    size_t next = 0;
    next_character(text, next);
    if (next < text.size() && is_align(text[next])) {
      spec.fill = std::string(text.substr(0, next));
      spec.align = text[next];
      at = next + 1;
    } else if (is_align(text[0])) {
      spec.align = text[0];
      at = 1;
    }
  }
  const auto take = [&](std::string_view wanted) {
    if (at < text.size() && wanted.find(text[at]) != std::string_view::npos) return text[at++];
    return '\0';
  };
  if (const char sign = take("+- ")) spec.sign = sign;
  spec.alternate = take("#") != 0;
  if (take("0") != 0 && spec.align == 0) {
    spec.fill = "0";
    spec.align = '=';
  }
  const auto number = [&] {
    const size_t begin = at;
    while (take("0123456789") != 0) {
    }
    return number_of(text.substr(begin, at - begin));
  };
  spec.width = number();
  spec.grouping = take(",_");
  if (take(".") != 0) {
    const size_t before = at;
    spec.precision = number();
    if (at == before) fail("ValueError", "Format specifier missing precision");
  }
  if (at < text.size()) spec.type = text[at++];
  if (at < text.size()) fail("ValueError", "Invalid format specifier");
  return spec;
}

class BraceFormatter {
 public:
  BraceFormatter(Runtime& runtime, const Str& format, const Arguments& arguments)
      : runtime_(runtime), format_(format), arguments_(arguments) {}

  const Str* run(const Str& format, int depth);

 private:
  size_t field(const Str& format, size_t at, TextBuilder& out, int depth);
  Value field_value(std::string_view name);
  Value first_value(std::string_view name);
  void append(TextBuilder& out, const Value& value, char conversion, const Str& spec);

  Runtime& runtime_;
  const Str& format_;
  const Arguments& arguments_;
  enum class Numbering : uint8_t { unknown, automatic, manual } numbering_ = Numbering::unknown;
  size_t next_ = 0;
};

Value BraceFormatter::first_value(std::string_view name) {
  if (name.empty() || is_digits(name)) {
    const auto wanted = name.empty() ? Numbering::automatic : Numbering::manual;
    if (numbering_ != Numbering::unknown && numbering_ != wanted) {
      fail("ValueError",
           "cannot switch between manual field specification and automatic field "
           "numbering");
    }
    numbering_ = wanted;
    const size_t index = name.empty() ? next_++ : static_cast<size_t>(number_of(name));
    if (index >= arguments_.positional.size()) {
      fail("IndexError", "Replacement index " + std::to_string(index) +
                             " out of range for positional args tuple");
    }
    return arguments_.positional[index];
  }
  for (const Keyword& keyword : arguments_.keywords) {
    if (keyword.name == name) return keyword.value;
  }
  fail("KeyError", "'" + std::string(name) + "'");
}

/// name, then .attribute and [element] as often as they come.
Value BraceFormatter::field_value(std::string_view name) {
  size_t at = std::min(name.find_first_of(".["), name.size());
  Value value = first_value(name.substr(0, at));
  while (at < name.size()) {
    const bool attribute = name[at] == '.';
    ++at;
    const size_t end =
        attribute ? std::min(name.find_first_of(".[", at), name.size()) : name.find(']', at);
    if (end == std::string_view::npos) fail("ValueError", "Missing ']' in format string");
    const std::string_view part = name.substr(at, end - at);
    if (part.empty()) fail("ValueError", "Empty attribute in format string");
    if (attribute) {
      value = get_attribute(runtime_, value, runtime_.arena.copy(part));
    } else {
      value = get_element(runtime_, value,
                          is_digits(part) ? Value::of(number_of(part)) : runtime_.text(part));
    }
    at = attribute ? end : end + 1;
    if (!attribute && at < name.size() && name[at] != '.' && name[at] != '[') {
      fail("ValueError", "Only '.' or '[' may follow ']' in format field specifier");
    }
  }
  return value;
}

void BraceFormatter::append(TextBuilder& out, const Value& given, char conversion,
                            const Str& spec_text) {
  Value value = given;
  if (conversion == 'r' || conversion == 'a') {
    TextBuilder text(runtime_.arena);
    append_repr(runtime_, text, value);
    value = Value::of(text.finish());
  } else if (conversion == 's') {
    value = Value::of(to_text(runtime_, value));
  }
  const bool number = value.is_number() || value.is(Type::big_integer);
  if (spec_text.size == 0) {
    if (format_.markup) return out.append(*escape(runtime_, value));
    return append_text(runtime_, out, value);
  }
  FormatSpec spec = read_spec(spec_text.view());
  const Tag tag = format_.tag();
  if (number) {
    const std::string_view allowed = value.is(Type::real) ? "eEfFgGn%" : "bcdoxXneEfFgG%";
    if (spec.type != 0 && allowed.find(spec.type) == std::string_view::npos) {
      fail("ValueError", std::string("Unknown format code '") + spec.type + "'");
    }
    const Str* text = runtime_.text(format_number(value, spec), value.tag()).text;
    return append_padded(out, *text, spec, '>', tag);
  }
  if (!value.is_string()) {
    fail("TypeError",
         "unsupported format string passed to " + std::string(type_name(value)) + ".__format__");
  }
  if (spec.type != 0 && spec.type != 's') {
    fail("ValueError",
         std::string("Unknown format code '") + spec.type + "' for object of type 'str'");
  }
  if (spec.align == '=' && spec.fill != "0") {
    fail("ValueError", "'=' alignment not allowed in string format specifier");
  }
  if (spec.align == '=') spec.align = '<';
  const Str* text = value.text;
  if (spec.precision >= 0) {
    const size_t end = byte_of_character(text->view(), static_cast<size_t>(spec.precision));
    text = slice_text(runtime_.arena, *text, 0, end);
  }
  if (format_.markup) text = escape(runtime_, *text);
  append_padded(out, *text, spec, '<', tag);
}

/// One field, from behind its `{`; @returns the position behind its `}`.
size_t BraceFormatter::field(const Str& format, size_t at, TextBuilder& out, int depth) {
  const std::string_view all = format.view();
  size_t end = at;
  int brackets = 0;
  for (int nested = 1; end < all.size(); ++end) {
    if (all[end] == '[' && nested == 1) ++brackets;
    if (all[end] == '{') ++nested;
    if (all[end] == '}' && --nested == 0) break;
  }
  if (end == all.size()) fail("ValueError", "expected '}' before end of string");
  const std::string_view content = all.substr(at, end - at);
  size_t name_end = 0;
  for (bool inside = false; name_end < content.size(); ++name_end) {
    const char c = content[name_end];
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    if (!inside && (c == '!' || c == ':')) break;
  }
  const std::string_view name = content.substr(0, name_end);
  if (name.find('{') != std::string_view::npos) fail("ValueError", "unexpected '{' in field name");
  char conversion = 0;
  if (name_end < content.size() && content[name_end] == '!') {
    if (name_end + 1 >= content.size()) fail("ValueError", "unmatched '{' in format spec");
    conversion = content[name_end + 1];
    name_end += 2;
    if (name_end < content.size() && content[name_end] != ':') {
      fail("ValueError", "expected ':' after conversion specifier");
    }
    if (std::string_view("rsa").find(conversion) == std::string_view::npos) {
      fail("ValueError", "Unknown conversion specifier");
    }
  }
  const Value value = field_value(name);
  const size_t spec_begin = std::min(at + name_end + 1, end);
  const Str* spec = run(*slice_text(runtime_.arena, format, spec_begin, end), depth + 1);
  append(out, value, conversion, *spec);
  return end + 1;
}

const Str* BraceFormatter::run(const Str& format, int depth) {
  if (depth > 2) fail("ValueError", "Max string recursion exceeded");
  const std::string_view all = format.view();
  TextBuilder out(runtime_.arena, format.size);
  size_t at = 0;
  while (at < all.size()) {
    runtime_.charge(1);
    const size_t brace = std::min(all.find_first_of("{}", at), all.size());
    out.append(format, at, brace);
    at = brace;
    if (at == all.size()) break;
    if (at + 1 < all.size() && all[at + 1] == all[at]) {
      out.append(format, at, at + 1);
      at += 2;
    } else if (all[at] == '}') {
      fail("ValueError", "Single '}' encountered in format string");
    } else {
      at = field(format, at + 1, out, depth);
    }
  }
  return out.finish(format.markup);
}

}  // namespace

const Str* format_braces(Runtime& runtime, const Str& format, const Arguments& arguments) {
  return BraceFormatter(runtime, format, arguments).run(format, 0);
}

}  // namespace burnish::jinja
