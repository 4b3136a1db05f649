// The methods of str, and among them those that make another text of one.
#include "text/template/string_methods.h"

#include <algorithm>
#include <vector>

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
  const int64_t width = given.integer(0, 0), length = text.character_count();
  if (width <= length) return self;
  const bool is_signed = text.size > 0 && (text.data[0] == '+' || text.data[0] == '-');
  TextBuilder out(runtime.arena);
  out.append(text, 0, is_signed ? 1 : 0);
  out.repeat("0", static_cast<size_t>(width - length), text.tag());
  out.append(text, is_signed ? 1 : 0);
  return Value::of(out.finish(text.markup));
}

Value method_expandtabs(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("expandtabs", arguments, {"tabsize"});
  const int64_t width = given.integer(0, 8);
  runtime.charge(self.text->size / 16);
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

Value method_replace(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("replace", arguments, {"old", "new", "count"}, 2);
  return Value::of(
      replace(runtime, *self.text, *given.string(0), *given.string(1), given.integer(2, -1)));
}

Value method_join(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("join", arguments, {"iterable"}, 1);
  return Value::of(join(runtime, *self.text, *to_list(runtime, given.get(0))));
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
    {"encode", method_unsupported},
    {"expandtabs", method_expandtabs},
    {"format", method_format},
    {"format_map", method_format_map},
    {"join", method_join},
    {"ljust", method_pad<Side::right>},
    {"lower", method_case<Case::lower>},
    {"lstrip", method_strip<Side::left>},
    {"maketrans", method_unsupported},
    {"replace", method_replace},
    {"rjust", method_pad<Side::left>},
    {"rsplit", method_split<split_right>},
    {"rstrip", method_strip<Side::right>},
    {"split", method_split<split>},
    {"splitlines", method_splitlines},
    {"strip", method_strip<Side::both>},
    {"swapcase", method_case<Case::swap>},
    {"title", method_case<Case::title>},
    {"translate", method_unsupported},
    {"upper", method_case<Case::upper>},
    {"zfill", method_zfill},
};

/// All families, by name.
std::vector<Method> join_families() {
  std::vector<Method> all(std::begin(kMethods), std::end(kMethods));
  for (const auto family : {string_search_methods(), string_predicate_methods()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Method& left, const Method& right) { return left.name < right.name; });
  return all;
}

}  // namespace

std::span<const Method> string_methods() {
  static const std::vector<Method> kAll = join_families();
  return kAll;
}

}  // namespace burnish::jinja
