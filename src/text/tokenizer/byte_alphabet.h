// The 256 printable characters in which byte-level tokenizers spell bytes: 33-126, 161-172 and
// 174-255 stand for themselves, the other bytes are 256, 257, ... in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace burnish {

class ByteAlphabet {
 public:
  static const ByteAlphabet& get();

  char32_t character_of(uint8_t byte) const { return characters_[byte]; }
  std::optional<uint8_t> byte_of(char32_t character) const;

  std::string spell(std::string_view bytes) const;
  /// The bytes that a token spells; nothing if a character is not of the alphabet.
  std::optional<std::string> read(std::string_view token) const;

 private:
  ByteAlphabet();
  std::array<char32_t, 256> characters_;
  std::array<int16_t, 324> bytes_;  // -1: not of the alphabet
};

}  // namespace burnish
