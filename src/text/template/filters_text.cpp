// The filters that change texts.
#include "text/template/access.h"
#include "text/template/filters.h"
#include "text/template/format.h"
#include "text/template/iterate.h"
#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"
#include "text/template/string_operations.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

template <Case kTo>
Value filter_case(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("case filter", arguments, {});
  return Value::of(change_case(runtime, *soft_text(runtime, input), kTo));
}

bool separates_words(char32_t c) {
  return is_space(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
}

Value filter_title(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("title", arguments, {});
  const Str& text = *soft_text(runtime, input);
  runtime.charge(text.size / 16);
  TextBuilder out(runtime.arena, text.size);
  bool starts = true;
  size_t begin = 0;
  text.for_each_piece([&](std::string_view piece, const Tag& tag) {
    std::string changed;
    for (size_t at = 0; at < piece.size();) {
      const size_t position = begin + at;
      const char32_t c = next_character(piece, at);
      if (separates_words(c)) {
        append_utf8(changed, c);
      } else if (starts) {
        append_upper(changed, c);
      } else {
        append_lower(changed, c, text.view(), position);
      }
      starts = separates_words(c);
    }
    out.append(changed, tag);
    begin += piece.size();
  });
  return Value::of(out.finish());
}

Value filter_trim(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("trim", arguments, {"chars"});
  return Value::of(
      strip(runtime, *soft_text(runtime, input), given.optional_string(0), Side::both));
}

Value filter_string(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("string", arguments, {});
  return Value::of(soft_text(runtime, input));
}

Value filter_replace(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("replace", arguments, {"old", "new", "count"}, 2);
  const int64_t count = given.has_value(2) ? given.integer(2, -1) : -1;
  return Value::of(replace(runtime, *to_text(runtime, input), *to_text(runtime, given.get(0)),
                           *to_text(runtime, given.get(1)), count));
}

Value filter_join(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("join", arguments, {"d", "attribute"});
  ListBuilder texts(runtime.arena);
  Iterator* iterator = iterate(runtime, input);
  for (Value item; iterator->next(runtime, item);) {
    runtime.charge(1);
    if (given.has_value(1)) item = attribute_at(runtime, item, given.get(1));
    texts.append(Value::of(to_text(runtime, item)));
  }
  const Str* separator =
      given.has(0) ? to_text(runtime, given.get(0)) : make_text(runtime.arena, "");
  return Value::of(join(runtime, *separator, *texts.finish()));
}

Value filter_format(Runtime& runtime, const Value& input, const Arguments& arguments) {
  if (!arguments.positional.empty() && !arguments.keywords.empty()) {
    fail("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  }
  Value values = runtime.tuple(arguments.positional);
  if (!arguments.keywords.empty()) {
    Dict* dict = make_dict(runtime, arguments.keywords.size());
    for (const Keyword& keyword : arguments.keywords) {
      insert(runtime, *dict, runtime.text(keyword.name), keyword.value);
    }
    values = Value::of(static_cast<const Dict*>(dict));
  }
  return format_percent(runtime, *soft_text(runtime, input), values);
}

Value filter_indent(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("indent", arguments, {"width", "first", "blank"});
  if (input.is_undefined()) fail_undefined(input);
  if (!input.is_string()) {
    fail("TypeError", "indent needs a text, not " + std::string(type_name(input)));
  }
  const Str* indention = nullptr;
  if (given.has(0) && given.get(0).is_string()) {
    indention = given.string(0);
  } else {
    const int64_t width = std::max<int64_t>(0, given.integer(0, 4));
    TextBuilder blanks(runtime.arena);
    blanks.repeat(" ", static_cast<size_t>(width), {});
    indention = blanks.finish();
  }
  const Str& text = *input.text;
  if (text.markup) indention = escape(runtime, *indention);
  // the filter adds a line break first, so that a break at the end opens one more, empty line
  const Str* newline = make_text(runtime.arena, "\n");
  const List& lines = *split_lines(runtime, *concatenate(runtime.arena, text, *newline), false);
  const bool blank_too = is_true(runtime, given.get(2));
  TextBuilder out(runtime.arena, text.size);
  if (is_true(runtime, given.get(1))) out.append(*indention);
  for (uint32_t i = 0; i < lines.size; ++i) {
    const Str& line = *lines.items[i].text;
    if (i > 0) {
      // the line break belongs to the text that it stands in
      out.append("\n", lines.items[i - 1].text->size > 0 ? lines.items[i - 1].tag() : text.tag());
      if (blank_too || line.size > 0) out.append(*indention);
    }
    out.append(line);
  }
  return Value::of(out.finish(text.markup));
}

Value filter_center(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("center", arguments, {"width"});
  return Value::of(
      pad(runtime, *soft_text(runtime, input), given.integer(0, 80), nullptr, Side::both));
}

Value filter_truncate(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("truncate", arguments, {"length", "killwords", "end", "leeway"});
  if (input.is_undefined()) return input;
  if (!input.is_string()) {
    fail("TypeError", "truncate needs a text, not " + std::string(type_name(input)));
  }
  const Str& text = *input.text;
  const Str* end = given.has(2) ? given.string(2) : make_text(runtime.arena, "...");
  const int64_t length = given.integer(0, 255);
  const int64_t leeway = given.has_value(3) ? given.integer(3, 5) : 5;
  const auto end_length = static_cast<int64_t>(end->character_count());
  if (length < end_length)
    fail("AssertionError", "expected length >= " + std::to_string(end_length));
  if (leeway < 0) fail("AssertionError", "expected leeway >= 0");
  if (static_cast<int64_t>(text.character_count()) - leeway <= length) return input;
  const size_t cut = byte_of_character(text.view(), static_cast<size_t>(length - end_length));
  const Str* head = slice_text(runtime.arena, text, 0, cut);
  if (!is_true(runtime, given.get(1))) {
    const size_t space = head->view().rfind(' ');
    if (space != std::string_view::npos) head = slice_text(runtime.arena, *head, 0, space);
  }
  return calculate(runtime, Arithmetic::add, Value::of(head), Value::of(end));
}

Value filter_wordcount(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("wordcount", arguments, {});
  const std::string_view text = soft_text(runtime, input)->view();
  runtime.charge(text.size() / 16);
  int64_t count = 0;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const bool word = is_word(next_character(text, at));
    if (word && !inside) ++count;
    inside = word;
  }
  return Value::of(count);
}

Value filter_unsupported(Runtime& runtime, const Value& input, const Arguments& arguments) {
  fail("NotImplementedError",
       "the filters pprint, random, striptags, urlize and wordwrap are not supported");
}

constexpr NamedFilter kFilters[] = {
    {"trim", filter_trim},
    {"string", filter_string},
    {"join", filter_join},
    {"upper", filter_case<Case::upper>},
    {"lower", filter_case<Case::lower>},
    {"capitalize", filter_case<Case::capitalize>},
    {"title", filter_title},
    {"replace", filter_replace},
    {"indent", filter_indent},
    {"format", filter_format},
    {"center", filter_center},
    {"truncate", filter_truncate},
    {"wordcount", filter_wordcount},
    {"pprint", filter_unsupported},
    {"random", filter_unsupported},
    {"striptags", filter_unsupported},
    {"urlize", filter_unsupported},
    {"wordwrap", filter_unsupported},
};

}  // namespace

std::span<const NamedFilter> text_filters() {
  return kFilters;
}

}  // namespace burnish::jinja
