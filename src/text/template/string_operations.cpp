#include "text/template/string_operations.h"

#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

bool has_character(std::string_view characters, char32_t wanted) {
  for (size_t at = 0; at < characters.size();) {
    if (next_character(characters, at) == wanted) return true;
  }
  return false;
}

/// Cased letters start a word after anything that is not cased (str.title).
void append_titled(std::string& out, char32_t c, std::string_view text, size_t at, bool& in_word) {
  if (in_word) {
    append_lower(out, c, text, at);
  } else {
    append_title(out, c);
  }
  in_word = is_cased(c);
}

void append_swapped(std::string& out, char32_t c, std::string_view text, size_t at) {
  if (is_upper(c)) {
    append_lower(out, c, text, at);
  } else if (is_lower(c)) {
    append_upper(out, c);
  } else {
    append_utf8(out, c);
  }
}

}  // namespace

void charge_search(Runtime& runtime, std::string_view text, std::string_view wanted) {
  runtime.charge(text.size() / 64 + text.size() / 64 * (wanted.size() / 64));
}

const Str* strip(Runtime& runtime, const Str& text, const Str* characters, Side side) {
  const std::string_view all = text.view();
  size_t begin = 0, end = all.size();
  const auto drops = [&](char32_t c) {
    if (characters == nullptr) return is_space(c);
    runtime.charge(characters->size / 16);
    return has_character(characters->view(), c);
  };
  while (side != Side::right && begin < end) {
    size_t next = begin;
    if (!drops(next_character(all, next))) break;
    begin = next;
  }
  while (side != Side::left && end > begin) {
    size_t before = end;
    if (!drops(previous_character(all, before))) break;
    end = before;
  }
  runtime.charge((all.size() - (end - begin)) / 16);
  return slice_text(runtime.arena, text, begin, end);
}

const Str* replace(Runtime& runtime, const Str& text, const Str& old, const Str& replacement,
                   int64_t count) {
  const std::string_view all = text.view(), wanted = old.view();
  charge_search(runtime, all, wanted);
  if (count == 0 || (wanted.empty() ? false : all.find(wanted) == std::string_view::npos)) {
    return &text;
  }
  const Str& inserted =
      text.markup ? *with_markup(runtime.arena, *escape(runtime, replacement), false) : replacement;
  TextBuilder out(runtime.arena, all.size());
  if (count < 0) count = INT64_MAX;
  size_t at = 0;
  while (count != 0) {
    runtime.charge(1);
    const size_t found = all.find(wanted, at);
    if (found == std::string_view::npos) break;
    if (wanted.empty()) {  // between all characters
      out.append(inserted);
      if (at == all.size()) break;
      const size_t begin = at;
      next_character(all, at);
      out.append(text, begin, at);
    } else {
      out.append(text, at, found);
      out.append(inserted);
      at = found + wanted.size();
    }
    --count;
  }
  out.append(text, at);
  return out.finish(text.markup);
}

const Str* change_case(Runtime& runtime, const Str& text, Case to) {
  runtime.charge(text.size / 16);
  const std::string_view all = text.view();
  TextBuilder out(runtime.arena, text.size);
  bool in_word = false, first = true;
  std::string changed;
  size_t begin = 0;
  text.for_each_piece([&](std::string_view piece, const Tag& tag) {
    changed.clear();
    for (size_t at = 0; at < piece.size();) {
      const size_t position = begin + at;
      const char32_t c = next_character(piece, at);
      switch (to) {
        case Case::upper:
          append_upper(changed, c);
          break;
        case Case::lower:
          append_lower(changed, c, all, position);
          break;
        case Case::title:
          append_titled(changed, c, all, position, in_word);
          break;
        case Case::capitalize:
          if (first) {
            append_title(changed, c);
          } else {
            append_lower(changed, c, all, position);
          }
          first = false;
          break;
        case Case::swap:
          append_swapped(changed, c, all, position);
          break;
        case Case::fold:
          append_folded(changed, c);
          break;
      }
    }
    out.append(changed, tag);
    begin += piece.size();
  });
  return out.finish(text.markup);
}

const Str* join(Runtime& runtime, const Str& separator, const List& items) {
  size_t size = 0;
  for (uint32_t i = 0; i < items.size; ++i) {
    const Value& item = items.items[i];
    if (!item.is_string()) {
      fail("TypeError", "sequence item " + std::to_string(i) + ": expected str instance, " +
                            std::string(type_name(item)) + " found");
    }
    size += item.text->size + (i > 0 ? separator.size : 0);
  }
  runtime.charge(size / 64 + items.size);
  TextBuilder out(runtime.arena, size);
  for (uint32_t i = 0; i < items.size; ++i) {
    if (i > 0) out.append(separator);
    out.append(separator.markup ? *escape(runtime, items.items[i]) : *items.items[i].text);
  }
  return out.finish(separator.markup);
}

const Str* pad(Runtime& runtime, const Str& text, int64_t width, const Str* fill, Side padded) {
  if (fill != nullptr && fill->character_count() != 1) {
    fail("TypeError", "The fill character must be exactly one character long");
  }
  const auto length = static_cast<int64_t>(text.character_count());
  if (width <= length) return &text;
  const std::string_view filler = fill == nullptr ? std::string_view(" ") : fill->view();
  const int64_t missing = width - length;
  // str.center puts the odd one to the left where the width is odd
  const int64_t left = padded == Side::left    ? missing
                       : padded == Side::right ? 0
                                               : missing / 2 + (missing & width & 1);
  const Tag tag = text.tag();
  TextBuilder out(runtime.arena);
  out.repeat(filler, static_cast<size_t>(left), tag);
  out.append(text);
  out.repeat(filler, static_cast<size_t>(missing - left), tag);
  return out.finish(text.markup);
}

}  // namespace burnish::jinja
