#include "text/template/string_operations.h"
#include "text/template/unicode.h"

#include <algorithm>

namespace burnish::jinja {
namespace {

struct Pieces {
  Runtime& runtime;
  const Str& text;
  ListBuilder list;

  Pieces(Runtime& runtime, const Str& text) : runtime(runtime), text(text), list(runtime.arena) {}
  void add(size_t begin, size_t end) {
    runtime.charge(1);
    list.append(Value::of(slice_text(runtime.arena, text, begin, end)));
  }
  const List* reversed() {
    std::reverse(list.data(), list.data() + list.size());
    return list.finish();
  }
};

const List* split_at_space(Runtime& runtime, const Str& text, int64_t most) {
  const std::string_view all = text.view();
  Pieces pieces(runtime, text);
  size_t at = skip_space(all);
  while (at < all.size()) {
    if (most-- == 0) {
      pieces.add(at, all.size());  // with the white space at its end
      break;
    }
    const size_t begin = at;
    size_t end = at;
    while (end < all.size()) {
      size_t next = end;
      if (is_space(next_character(all, next))) break;
      end = next;
    }
    pieces.add(begin, end);
    at = end + skip_space(all.substr(end));
  }
  return pieces.list.finish();
}

const List* split_at_space_right(Runtime& runtime, const Str& text, int64_t most) {
  const std::string_view all = text.view();
  Pieces pieces(runtime, text);
  size_t end = end_without_space(all);
  while (end > 0) {
    if (most-- == 0) {
      pieces.add(0, end);
      break;
    }
    size_t begin = end;
    while (begin > 0) {
      size_t before = begin;
      if (is_space(previous_character(all, before))) break;
      begin = before;
    }
    pieces.add(begin, end);
    end = end_without_space(all.substr(0, begin));
  }
  return pieces.reversed();
}

void check_separator(const Str& separator) {
  if (separator.size == 0) fail("ValueError", "empty separator");
}

}  // namespace

const List* split(Runtime& runtime, const Str& text, const Str* separator, int64_t most) {
  runtime.charge(text.size / 64);
  if (most < 0) most = INT64_MAX;
  if (separator == nullptr) return split_at_space(runtime, text, most);
  check_separator(*separator);
  charge_search(runtime, text.view(), separator->view());
  Pieces pieces(runtime, text);
  size_t at = 0;
  while (most-- != 0) {
    const size_t found = text.view().find(separator->view(), at);
    if (found == std::string_view::npos) break;
    pieces.add(at, found);
    at = found + separator->size;
  }
  pieces.add(at, text.size);
  return pieces.list.finish();
}

const List* split_right(Runtime& runtime, const Str& text, const Str* separator, int64_t most) {
  runtime.charge(text.size / 64);
  if (most < 0) most = INT64_MAX;
  if (separator == nullptr) return split_at_space_right(runtime, text, most);
  check_separator(*separator);
  charge_search(runtime, text.view(), separator->view());
  Pieces pieces(runtime, text);
  size_t end = text.size;
  while (most-- != 0) {
    const size_t found = text.view().substr(0, end).rfind(separator->view());
    if (found == std::string_view::npos) break;
    pieces.add(found + separator->size, end);
    end = found;
  }
  pieces.add(0, end);
  return pieces.reversed();
}

const List* split_lines(Runtime& runtime, const Str& text, bool keep_ends) {
  const std::string_view all = text.view();
  runtime.charge(all.size() / 16);
  Pieces pieces(runtime, text);
  size_t begin = 0;
  for (size_t at = 0; at < all.size();) {
    const size_t end = at;
    const char32_t c = next_character(all, at);
    if (!is_line_break(c)) continue;
    if (c == '\r' && at < all.size() && all[at] == '\n') ++at;
    pieces.add(begin, keep_ends ? at : end);
    begin = at;
  }
  if (begin < all.size()) pieces.add(begin, all.size());
  return pieces.list.finish();
}

}  // namespace burnish::jinja
