// The methods of str that look for a text in another.
#include "text/template/iterate.h"
#include "text/template/parameters.h"
#include "text/template/string_methods.h"
#include "text/template/string_operations.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

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
  charge_search(runtime, text.view(), wanted);
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
  charge_search(runtime, part, wanted);
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
  constexpr const char* kName = kAtEnd ? "endswith" : "startswith";
  const Parameters given(kName, arguments, {"prefix", "start", "end"}, 1);
  const Window window = window_of(*self.text, given);
  const std::string_view part =
      window.ok ? self.view().substr(window.begin, window.end - window.begin) : std::string_view();
  const auto matches = [&](const Value& affix) {
    if (!affix.is_string()) {
      fail("TypeError", std::string(kName) + " first arg must be str or a tuple of str, not " +
                            std::string(type_name(affix)));
    }
    runtime.charge(affix.text->size / 64);
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
  const Parameters given(kAtEnd ? "removesuffix" : "removeprefix", arguments,
                         {kAtEnd ? "suffix" : "prefix"}, 1);
  const std::string_view all = self.view(), affix = given.string(0)->view();
  if (kAtEnd && all.ends_with(affix)) {
    return Value::of(slice_text(runtime.arena, *self.text, 0, all.size() - affix.size()));
  }
  if (!kAtEnd && all.starts_with(affix)) {
    return Value::of(slice_text(runtime.arena, *self.text, affix.size(), all.size()));
  }
  return self;
}

template <bool kFromRight>
Value method_partition(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("partition", arguments, {"sep"}, 1);
  const Str &text = *self.text, &separator = *given.string(0);
  if (separator.size == 0) fail("ValueError", "empty separator");
  charge_search(runtime, text.view(), separator.view());
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

constexpr Method kMethods[] = {
    {"count", method_count},
    {"endswith", method_starts<true>},
    {"find", method_find<false, false>},
    {"index", method_find<false, true>},
    {"partition", method_partition<false>},
    {"removeprefix", method_remove<false>},
    {"removesuffix", method_remove<true>},
    {"rfind", method_find<true, false>},
    {"rindex", method_find<true, true>},
    {"rpartition", method_partition<true>},
    {"startswith", method_starts<false>},
};

}  // namespace

std::span<const Method> string_search_methods() {
  return kMethods;
}

}  // namespace burnish::jinja
