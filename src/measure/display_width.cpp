#include "measure/display_width.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace burnish {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  char32_t code;
  size_t bytes;
  bool valid;
};

// The first character of a text that is not empty; a stray byte stands alone.
Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {lead, 1, false};
  char32_t code = lead & (0xFF >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1, false};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kSmallest[bytes] || code > 0x10FFFF || surrogate) return {lead, 1, false};
  return {code, bytes, true};
}

using Range = std::pair<char32_t, char32_t>;

// Unicode's general categories Mn and Me where terminals meet them, and zero-width format controls.
constexpr std::array<Range, 12> kZero{{{0x0300, 0x036F},
                                       {0x0483, 0x0489},
                                       {0x0591, 0x05BD},
                                       {0x064B, 0x065F},
                                       {0x0E34, 0x0E3A},
                                       {0x1AB0, 0x1AFF},
                                       {0x1DC0, 0x1DFF},
                                       {0x200B, 0x200F},
                                       {0x20D0, 0x20FF},
                                       {0xFE00, 0xFE0F},
                                       {0xFE20, 0xFE2F},
                                       {0xE0100, 0xE01EF}}};

// UAX #11: wide and fullwidth blocks.
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0xA4CF},
                                       {0xA960, 0xA97F},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};

template <size_t n>
bool in(const std::array<Range, n>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return code >= range.first && code <= range.second;
  });
}

int columns_of(const Character& character) {
  if (!character.valid) return 1;
  if (in(kZero, character.code)) return 0;
  return in(kWide, character.code) ? 2 : 1;
}

// How many bytes of `text` fit in `columns`.
size_t bytes_that_fit(std::string_view text, int columns) {
  size_t used = 0;
  while (used < text.size()) {
    const Character next = first_character(text.substr(used));
    columns -= columns_of(next);
    if (columns < 0) break;
    used += next.bytes;
  }
  return used;
}

}  // namespace

int display_width(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    columns += columns_of(next);
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string fit_columns(std::string_view text, int columns) {
  if (columns <= 0) return {};
  if (bytes_that_fit(text, columns) == text.size()) return std::string(text);
  return std::string(text.substr(0, bytes_that_fit(text, columns - 1))).append(kEllipsis);
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const bool space = next.code == '\n' || next.code == '\r' || next.code == '\t';
    const bool control = next.code < 0x20 || (next.code >= 0x7F && next.code < 0xA0) ||
                         next.code == 0x2028 || next.code == 0x2029;
    if (space) {
      line += ' ';
    } else if (control || !next.valid) {
      line += kReplacement;
    } else {
      line += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return line;
}

}  // namespace burnish
