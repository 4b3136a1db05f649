#include "text/tokenizer/normal_form.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "text/tokenizer/characters.h"
#include "text/tokenizer/newer_unicode.h"

namespace burnish {
namespace {

// A character of the result and how it changed the text: 1 is new, 0 takes the place of one
// character, -n takes the place of n + 1.
struct Changed {
  char32_t code;
  int change;
};

// The tables of the tokenizers package are older than ours: what they do not know stays as it is.
const utf8proc_property_t* properties_of(char32_t code) {
  return utf8proc_get_property(
      is_newer_than_normal_forms(code) ? -1 : static_cast<utf8proc_int32_t>(code));
}

int combining_class(char32_t code) {
  return properties_of(code)->combining_class;
}

void decompose(char32_t code, bool compatible, std::vector<Changed>& out) {
  if (code < 0x80 || is_newer_than_normal_forms(code)) return out.push_back({code, 0});
  std::array<utf8proc_int32_t, 32> codes;  // the longest has 18
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0));
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), codes.data(),
                                             codes.size(), options, &boundary);
  for (utf8proc_ssize_t i = 0; i < count; ++i)
    out.push_back({static_cast<char32_t>(codes[static_cast<size_t>(i)]), i == 0 ? 0 : 1});
}

// Marks in the order of their combining classes (the canonical ordering algorithm).
void order_marks(std::vector<Changed>& characters) {
  const auto is_starter = [](const Changed& c) { return combining_class(c.code) == 0; };
  for (auto at = characters.begin(); at != characters.end();) {
    const auto first = std::find_if_not(at, characters.end(), is_starter);
    at = std::find_if(first, characters.end(), is_starter);
    std::stable_sort(first, at, [](const Changed& a, const Changed& b) {
      return combining_class(a.code) < combining_class(b.code);
    });
  }
}

std::optional<char32_t> compose_pair(char32_t first, char32_t second) {
  if (is_newer_than_normal_forms(first) || is_newer_than_normal_forms(second)) return std::nullopt;
  std::array<utf8proc_int32_t, 3> pair = {static_cast<utf8proc_int32_t>(first),
                                          static_cast<utf8proc_int32_t>(second), 0};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair.data(), 2, options) != 1) return std::nullopt;
  if (is_newer_than_normal_forms(static_cast<char32_t>(pair[0]))) return std::nullopt;
  return static_cast<char32_t>(pair[0]);
}

// The canonical composition algorithm, in place.
void compose(std::vector<Changed>& characters) {
  size_t end = 0;                 // of the result
  std::optional<size_t> starter;  // in the result
  int last_class = -1;            // of the marks between the starter and here; -1: none
  for (const Changed& next : characters) {
    const int next_class = combining_class(next.code);
    if (starter && last_class < next_class) {
      if (const auto composed = compose_pair(characters[*starter].code, next.code)) {
        Changed& into = characters[*starter];
        into = {*composed, into.change + next.change - 1};
        continue;
      }
    }
    if (next_class == 0) {
      starter = end;
      last_class = -1;
    } else {
      last_class = next_class;
    }
    characters[end++] = next;
  }
  characters.resize(end);
}

// Characters that keep their composed form whatever stands before them: starters that are their
// own form and do not join the character before.
class InertCharacters {
 public:
  static const InertCharacters& of_nfc() {
    static const InertCharacters characters;
    return characters;
  }
  bool contains(char32_t code) const { return code >= kEnd || inert_[code]; }

 private:
  static constexpr char32_t kEnd = 0x30000;  // nothing above is composed or has a combining class

  InertCharacters() : inert_(kEnd) {
    for (char32_t code = 0; code < kEnd; ++code) inert_[code] = is_inert(code);
  }

  static bool is_inert(char32_t code) {
    const bool jamo = (code >= 0x1161 && code <= 0x1175) || (code >= 0x11A8 && code <= 0x11C2);
    const utf8proc_property_t* properties = properties_of(code);
    const bool may_be_second =
        properties->comb_index != UINT16_MAX && properties->comb_index >= 0x8000;
    if (jamo || may_be_second || properties->combining_class != 0) return false;
    if (properties->decomp_seqindex == UINT16_MAX) return true;
    std::vector<Changed> characters;
    decompose(code, false, characters);
    order_marks(characters);
    compose(characters);
    return characters.size() == 1 && characters[0].code == code;
  }

  std::vector<bool> inert_;
};

bool is_inert(char32_t code, NormalForm form) {
  if (code < 0x80) return true;
  if (form != NormalForm::nfc) return false;
  return code < 0x300 || InertCharacters::of_nfc().contains(code);
}

// Writes the changed characters over the part [begin, end) of the text.
void write(const std::vector<Changed>& characters, const AlignedText& text, size_t begin,
           AlignedText::Rewrite& rewrite) {
  size_t at = begin;  // in the old text
  ByteSpan last{text.span().begin, text.span().begin};
  for (const auto& [code, change] : characters) {
    if (change <= 0) {
      const size_t first_end = at + character_at(text.text(), at).length;
      last = text.original(at, first_end);
      rewrite.put(code, last);
      at = first_end;
      for (int dropped = 0; dropped < -change; ++dropped) {
        const size_t next = at + character_at(text.text(), at).length;
        last = text.original(at, next);
        at = next;
      }
    } else {
      rewrite.put(code, last);
    }
  }
}

}  // namespace

void normalize(AlignedText& aligned, NormalForm form) {
  const std::string_view text = aligned.text();
  const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
  const bool composed = form == NormalForm::nfc || form == NormalForm::nfkc;
  // The text falls into segments that begin with an inert character; those of one character stay.
  std::optional<AlignedText::Rewrite> rewrite;
  size_t kept = 0;  // up to here the result is written, once there is a rewrite
  std::vector<Changed> changed;
  for (size_t at = 0; at < text.size();) {
    const size_t segment = at;
    at += character_at(text, at).length;
    bool alone = is_inert(character_at(text, segment).code, form);
    while (at < text.size()) {
      const Character next = character_at(text, at);
      if (is_inert(next.code, form)) break;
      alone = false;
      at += next.length;
    }
    if (alone) continue;
    changed.clear();
    for (size_t i = segment; i < at; i += character_at(text, i).length)
      decompose(character_at(text, i).code, compatible, changed);
    order_marks(changed);
    if (composed) compose(changed);
    if (!rewrite) rewrite.emplace(aligned);
    rewrite->keep(kept, segment);
    write(changed, aligned, segment, *rewrite);
    kept = at;
  }
  if (!rewrite) return;
  rewrite->keep(kept, text.size());
  rewrite->commit();
}

}  // namespace burnish
