// The methods of str.
#include <vector>

#include "text/template/access.h"
#include "text/template/format.h"
#include "text/template/iterate.h"
#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/string_operations.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

template <Case kTo>
Value method_case(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("case change", arguments, {});
  return Value::of(change_case(runtime, *self.text, kTo));
}

template <Side kSide>
Value method_strip(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("strip", arguments, {"chars"});
  return Value::of(strip(runtime, *self.text, given.optional_string(0), kSide));
}

template <Side kPadded>
Value method_pad(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("justify", arguments, {"width", "fillchar"}, 1);
  const Str* fill = given.has(1) ? given.string(1) : nullptr;
  return Value::of(pad(runtime, *self.text, given.integer(0, 0), fill, kPadded));
}

Value method_zfill(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("zfill", arguments, {"width"}, 1);
  const Str& text = *self.text;
  const int64_t missing = given.integer(0, 0) - static_cast<int64_t>(text.character_count());
  if (missing <= 0) return self;
  const bool is_signed = text.size > 0 && (text.data[0] == '+' || text.data[0] == '-');
  TextBuilder out(runtime.arena);
  out.append(text, 0, is_signed ? 1 : 0);
  out.repeat("0", static_cast<size_t>(missing), text.tag());
  out.append(text, is_signed ? 1 : 0);
  return Value::of(out.finish(text.markup));
}

Value method_expandtabs(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("expandtabs", arguments, {"tabsize"});
  const int64_t width = given.integer(0, 8);
  TextBuilder out(runtime.arena, self.text->size);
  int64_t column = 0;
  self.text->for_each_piece([&](std::string_view piece, const Tag& tag) {
    for (size_t at = 0; at < piece.size();) {
      const size_t begin = at;
      const char32_t c = next_character(piece, at);
      if (c == '\t') {
        const int64_t blanks = width > 0 ? width - column % width : 0;
        out.repeat(" ", static_cast<size_t>(blanks), tag);
        column += blanks;
      } else {
        out.append(piece.substr(begin, at - begin), tag);
        column = c == '\n' || c == '\r' ? 0 : column + 1;
      }
    }
  });
  return Value::of(out.finish(self.text->markup));
}

using Splitter = const List* (*)(Runtime&, const Str&, const Str*, int64_t);
template <Splitter kSplit>
Value method_split(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("split", arguments, {"sep", "maxsplit"});
  return Value::list_of(
      kSplit(runtime, *self.text, given.optional_string(0), given.integer(1, -1)));
}

Value method_splitlines(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("splitlines", arguments, {"keepends"});
  return Value::list_of(split_lines(runtime, *self.text, is_true(runtime, given.get(0))));
}

template <bool kFromRight>
Value method_partition(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("partition", arguments, {"sep"}, 1);
  const Str &text = *self.text, &separator = *given.string(0);
  if (separator.size == 0) fail("ValueError", "empty separator");
  const size_t found =
      kFromRight ? text.view().rfind(separator.view()) : text.view().find(separator.view());
  const bool missing = found == std::string_view::npos;
  const size_t begin = missing ? (kFromRight ? 0 : text.size) : found;
  const size_t end = missing ? begin : found + separator.size;
  const Value pieces[] = {Value::of(slice_text(runtime.arena, text, 0, begin)),
                          Value::of(slice_text(runtime.arena, text, begin, end)),
                          Value::of(slice_text(runtime.arena, text, end, text.size))};
  return runtime.tuple(pieces);
}

Value method_replace(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("replace", arguments, {"old", "new", "count"}, 2);
  return Value::of(
      replace(runtime, *self.text, *given.string(0), *given.string(1), given.integer(2, -1)));
}

Value method_join(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("join", arguments, {"iterable"}, 1);
  return Value::of(join(runtime, *self.text, *to_list(runtime, given.get(0))));
}

/// The bytes of characters [start, end) as given by the second and third argument of find, count,
/// startswith; `ok` is false where the start lies behind the text.
struct Window {
  size_t begin, end;
  bool ok = true;
};

Window window_of(const Str& text, const Parameters& given) {
  const auto size = static_cast<int64_t>(text.character_count());
  int64_t start = given.has_value(1) ? given.integer(1, 0) : 0;
  int64_t stop = given.has_value(2) ? given.integer(2, size) : size;
  if (start < 0) start = std::max<int64_t>(0, start + size);
  if (stop < 0) stop = std::max<int64_t>(0, stop + size);
  stop = std::min(stop, size);
  if (start > stop) return {0, 0, false};
  if (text.is_ascii()) return {static_cast<size_t>(start), static_cast<size_t>(stop)};
  return {byte_of_character(text.view(), static_cast<size_t>(start)),
          byte_of_character(text.view(), static_cast<size_t>(stop))};
}

/// The character number where the first (last) occurrence starts; -1 if there is none.
int64_t position_of(Runtime& runtime, const Str& text, const Parameters& given, bool last) {
  const Window window = window_of(text, given);
  const std::string_view wanted = given.string(0)->view();
  if (!window.ok) return -1;
  runtime.charge(text.size / 64);
  const std::string_view part = text.view().substr(window.begin, window.end - window.begin);
  const size_t found = last ? part.rfind(wanted) : part.find(wanted);
  if (found == std::string_view::npos) return -1;
  return static_cast<int64_t>(count_characters(text.view().substr(0, window.begin + found)));
}

template <bool kLast, bool kMustExist>
Value method_find(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("find", arguments, {"sub", "start", "end"}, 1);
  const int64_t position = position_of(runtime, *self.text, given, kLast);
  if (kMustExist && position < 0) fail("ValueError", "substring not found");
  return Value::of(position);
}

Value method_count(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("count", arguments, {"sub", "start", "end"}, 1);
  const Window window = window_of(*self.text, given);
  const std::string_view wanted = given.string(0)->view();
  if (!window.ok) return Value::of(int64_t{0});
  const std::string_view part = self.view().substr(window.begin, window.end - window.begin);
  runtime.charge(part.size() / 64);
  if (wanted.empty()) return Value::of(static_cast<int64_t>(count_characters(part)) + 1);
  int64_t count = 0;
  for (size_t at = part.find(wanted); at != std::string_view::npos;
       at = part.find(wanted, at + wanted.size())) {
    ++count;
  }
  return Value::of(count);
}

template <bool kAtEnd>
Value method_starts(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given(kAtEnd ? "endswith" : "startswith", arguments, {"prefix", "start", "end"},
                         1);
  const Window window = window_of(*self.text, given);
  const std::string_view part =
      window.ok ? self.view().substr(window.begin, window.end - window.begin) : std::string_view();
  const auto matches = [&](const Value& affix) {
    if (!affix.is_string()) {
      fail("TypeError", "startswith first arg must be str or a tuple of str, not " +
                            std::string(type_name(affix)));
    }
    return window.ok && (kAtEnd ? part.ends_with(affix.view()) : part.starts_with(affix.view()));
  };
  const Value affix = given.get(0);
  if (!affix.is(Type::tuple)) return Value::of(matches(affix));
  for (const Value& one : affix.items()) {
    if (matches(one)) return Value::of(true);
  }
  return Value::of(false);
}

template <bool kAtEnd>
Value method_remove(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("removeprefix", arguments, {"prefix"}, 1);
  const std::string_view all = self.view(), affix = given.string(0)->view();
  if (kAtEnd && all.ends_with(affix)) {
    return Value::of(slice_text(runtime.arena, *self.text, 0, all.size() - affix.size()));
  }
  if (!kAtEnd && all.starts_with(affix)) {
    return Value::of(slice_text(runtime.arena, *self.text, affix.size(), all.size()));
  }
  return self;
}

using Predicate = bool (*)(char32_t);
/// True if the text is not empty and all characters are such.
template <Predicate kIs>
Value method_all(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("predicate", arguments, {});
  runtime.charge(self.text->size / 16);
  for (size_t at = 0; at < self.text->size;) {
    if (!kIs(next_character(self.view(), at))) return Value::of(false);
  }
  return Value::of(self.text->size != 0);
}

/// Some character is `kIs`, and none of the other case.
template <Predicate kIs, Predicate kIsOther>
Value method_cased(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("predicate", arguments, {});
  bool any = false;
  for (size_t at = 0; at < self.text->size;) {
    const char32_t c = next_character(self.view(), at);
    if (kIsOther(c) || is_title(c)) return Value::of(false);
    any = any || kIs(c);
  }
  return Value::of(any);
}

Value method_istitle(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("istitle", arguments, {});
  bool any = false, in_word = false;
  for (size_t at = 0; at < self.text->size;) {
    const char32_t c = next_character(self.view(), at);
    if ((is_upper(c) || is_title(c)) && in_word) return Value::of(false);
    if (is_lower(c) && !in_word) return Value::of(false);
    in_word = is_cased(c);
    any = any || in_word;
  }
  return Value::of(any);
}

Value method_isascii(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("isascii", arguments, {});
  return Value::of(self.text->is_ascii());
}

Value method_isprintable(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Value all = method_all<is_printable>(runtime, self, arguments);
  return Value::of(self.text->size == 0 || all.boolean);
}

Value method_isidentifier(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("isidentifier", arguments, {});
  size_t at = 0;
  if (self.text->size == 0 || !is_identifier_start(next_character(self.view(), at))) {
    return Value::of(false);
  }
  while (at < self.text->size) {
    if (!is_identifier_part(next_character(self.view(), at))) return Value::of(false);
  }
  return Value::of(true);
}

bool is_alphanumeric(char32_t c) {
  return is_alpha(c) || is_numeric(c);
}

Value method_format(Runtime& runtime, const Value& self, const Arguments& arguments) {
  return Value::of(format_braces(runtime, *self.text, arguments));
}

Value method_format_map(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("format_map", arguments, {"mapping"}, 1);
  if (!given.get(0).is(Type::dict)) fail("TypeError", "format_map() needs a mapping");
  const Dict& dict = *given.get(0).dict;
  std::vector<Keyword> keywords;
  for (uint32_t i = 0; i < dict.size; ++i) {
    if (dict.keys[i].is_string()) keywords.push_back({dict.keys[i].view(), dict.values[i]});
  }
  return Value::of(format_braces(runtime, *self.text, {{}, keywords}));
}

Value method_unsupported(Runtime& runtime, const Value& self, const Arguments& arguments) {
  fail("NotImplementedError", "this method of str is not supported in templates");
}

constexpr Method kMethods[] = {
    {"capitalize", method_case<Case::capitalize>},
    {"casefold", method_case<Case::fold>},
    {"center", method_pad<Side::both>},
    {"count", method_count},
    {"encode", method_unsupported},
    {"endswith", method_starts<true>},
    {"expandtabs", method_expandtabs},
    {"find", method_find<false, false>},
    {"format", method_format},
    {"format_map", method_format_map},
    {"index", method_find<false, true>},
    {"isalnum", method_all<is_alphanumeric>},
    {"isalpha", method_all<is_alpha>},
    {"isascii", method_isascii},
    {"isdecimal", method_all<is_decimal>},
    {"isdigit", method_all<is_digit>},
    {"isidentifier", method_isidentifier},
    {"islower", method_cased<is_lower, is_upper>},
    {"isnumeric", method_all<is_numeric>},
    {"isprintable", method_isprintable},
    {"isspace", method_all<is_space>},
    {"istitle", method_istitle},
    {"isupper", method_cased<is_upper, is_lower>},
    {"join", method_join},
    {"ljust", method_pad<Side::right>},
    {"lower", method_case<Case::lower>},
    {"lstrip", method_strip<Side::left>},
    {"maketrans", method_unsupported},
    {"partition", method_partition<false>},
    {"removeprefix", method_remove<false>},
    {"removesuffix", method_remove<true>},
    {"replace", method_replace},
    {"rfind", method_find<true, false>},
    {"rindex", method_find<true, true>},
    {"rjust", method_pad<Side::left>},
    {"rpartition", method_partition<true>},
    {"rsplit", method_split<split_right>},
    {"rstrip", method_strip<Side::right>},
    {"split", method_split<split>},
    {"splitlines", method_splitlines},
    {"startswith", method_starts<false>},
    {"strip", method_strip<Side::both>},
    {"swapcase", method_case<Case::swap>},
    {"title", method_case<Case::title>},
    {"translate", method_unsupported},
    {"upper", method_case<Case::upper>},
    {"zfill", method_zfill},
};

}  // namespace

std::span<const Method> string_methods() {
  return kMethods;
}

}  // namespace burnish::jinja
