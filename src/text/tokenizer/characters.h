// UTF-8 that was checked once, read one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace burnish {

struct Character {
  char32_t code;
  size_t length;  ///< bytes in UTF-8
};

inline bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// The character at byte `at` of well-formed UTF-8.
inline Character character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) -> char32_t { return static_cast<unsigned char>(text[at + k]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F),
          4};
}

/// The character that ends before byte `end` > 0.
inline Character character_before(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && is_continuation(text[at])) --at;
  return character_at(text, at);
}

void append_character(std::string& out, char32_t code);

/// The property White_Space.
bool is_white_space(char32_t code);
/// General category N*.
bool is_number(char32_t code);

}  // namespace burnish
