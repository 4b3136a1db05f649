#include "text/tokenizer/byte_alphabet.h"

#include "text/tokenizer/characters.h"

namespace burnish {

const ByteAlphabet& ByteAlphabet::get() {
  static const ByteAlphabet alphabet;
  return alphabet;
}

ByteAlphabet::ByteAlphabet() {
  bytes_.fill(-1);
  char32_t spare = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    const char32_t character = printable ? static_cast<char32_t>(byte) : spare++;
    characters_[static_cast<size_t>(byte)] = character;
    bytes_[character] = static_cast<int16_t>(byte);
  }
}

std::optional<uint8_t> ByteAlphabet::byte_of(char32_t character) const {
  if (character >= bytes_.size() || bytes_[character] < 0) return std::nullopt;
  return static_cast<uint8_t>(bytes_[character]);
}

std::string ByteAlphabet::spell(std::string_view bytes) const {
  std::string token;
  for (const char byte : bytes) append_character(token, character_of(static_cast<uint8_t>(byte)));
  return token;
}

std::optional<std::string> ByteAlphabet::read(std::string_view token) const {
  std::string bytes;
  for (size_t at = 0; at < token.size();) {
    const Character character = character_at(token, at);
    const auto byte = byte_of(character.code);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
    at += character.length;
  }
  return bytes;
}

}  // namespace burnish
