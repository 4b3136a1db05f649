#include "text/tokenizer/newer_unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "text/tokenizer/newer_unicode_ranges.h"

namespace burnish {
namespace {

struct Range {
  char32_t first, last;
};

// What differed from Python's unicodedata 14, and the additions of Unicode 15 and 16.
constexpr std::array kNewerForms = {
    Range{0x7FD, 0x7FD},     Range{0x897, 0x89F},     Range{0x8CA, 0x8D3},
    Range{0x9FE, 0x9FE},     Range{0xC3C, 0xC3C},     Range{0xD3B, 0xD3C},
    Range{0xEBA, 0xEBA},     Range{0x1715, 0x1715},   Range{0x1ABF, 0x1ACE},
    Range{0x1DF6, 0x1DFA},   Range{0x32FF, 0x32FF},   Range{0xA7F2, 0xA7F4},
    Range{0xA82C, 0xA82C},   Range{0xAB69, 0xAB69},   Range{0x105C9, 0x105C9},
    Range{0x105E4, 0x105E4}, Range{0x10781, 0x107BA}, Range{0x10D24, 0x10D27},
    Range{0x10D69, 0x10D6D}, Range{0x10EAB, 0x10EAC}, Range{0x10EFC, 0x10EFF},
    Range{0x10F46, 0x10F50}, Range{0x10F82, 0x10F85}, Range{0x11070, 0x11070},
    Range{0x1133B, 0x1133B}, Range{0x11380, 0x113D2}, Range{0x1145E, 0x1145E},
    Range{0x11839, 0x1183A}, Range{0x11930, 0x11943}, Range{0x119E0, 0x119E0},
    Range{0x11A34, 0x11A34}, Range{0x11A47, 0x11A47}, Range{0x11A99, 0x11A99},
    Range{0x11D42, 0x11D45}, Range{0x11D97, 0x11D97}, Range{0x11F41, 0x11F42},
    Range{0x1611E, 0x1612F}, Range{0x16D63, 0x16D6A}, Range{0x16FF0, 0x16FF1},
    Range{0x1CCD6, 0x1CCF9}, Range{0x1E030, 0x1E08F}, Range{0x1E130, 0x1E136},
    Range{0x1E2AE, 0x1E2AE}, Range{0x1E2EC, 0x1E2EF}, Range{0x1E4EC, 0x1E4EF},
    Range{0x1E5EE, 0x1E5EF}, Range{0x1F16C, 0x1F16C}, Range{0x1FBF0, 0x1FBF9},
};

template <class Ranges>
bool contains(const Ranges& ranges, char32_t code) {
  const auto range = std::partition_point(std::begin(ranges), std::end(ranges),
                                          [&](const auto& r) { return r.last < code; });
  return range != std::end(ranges) && range->first <= code;
}

std::string code_point(char32_t code) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), uint32_t{code}, 16).ptr;
  return "\\x{" + std::string(digits.begin(), end) + "}";
}

}  // namespace

std::string newer_members_of(std::string_view category) {
  std::string members;
  for (const CategoryRange& range : kNewerCharacters)
    if (range.category.starts_with(category))
      members += code_point(range.first) + "-" + code_point(range.last);
  return members;
}

bool is_newer_number(char32_t code) {
  constexpr std::array kUnicode17 = {Range{0x11DE0, 0x11DE9}, Range{0x16FF4, 0x16FF6}};
  if (contains(kUnicode17, code)) return true;
  return std::any_of(kNewerCharacters.begin(), kNewerCharacters.end(), [&](const auto& range) {
    return range.category[0] == 'N' && range.first <= code && code <= range.last;
  });
}

bool is_newer_than_normal_forms(char32_t code) {
  return code >= kNewerForms.front().first && contains(kNewerForms, code);
}

}  // namespace burnish
