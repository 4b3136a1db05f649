#include "format/utf8.h"

#include <cstdint>
#include <cstring>

namespace burnish {
namespace {

// What may follow a lead byte: the length of the sequence, and the range of its second byte.
struct Lead {
  size_t length;
  uint8_t low = 0x80, high = 0xBF;
};

Lead lead_of(uint8_t byte) {
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};  // no overlong forms
  if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};  // nothing above U+10FFFF
  return {0};
}

struct Sequence {
  size_t length;  // bytes that belong together, at least 1
  bool well_formed;
};

Sequence sequence_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[at + k]); };
  if (byte(0) < 0x80) return {1, true};
  const Lead lead = lead_of(byte(0));
  if (lead.length == 0) return {1, false};
  for (size_t k = 1; k < lead.length; ++k) {
    const uint8_t low = k == 1 ? lead.low : 0x80, high = k == 1 ? lead.high : 0xBF;
    if (at + k >= text.size() || byte(k) < low || byte(k) > high) return {k, false};
  }
  return {lead.length, true};
}

size_t skip_ascii(std::string_view text, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (uint64_t eight; at + 8 <= text.size(); at += 8) {
    std::memcpy(&eight, text.data() + at, 8);
    if (eight & kHighBits) break;
  }
  while (at < text.size() && static_cast<uint8_t>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

size_t first_invalid_utf8(std::string_view text) {
  for (size_t at = 0; (at = skip_ascii(text, at)) < text.size();) {
    const Sequence sequence = sequence_at(text, at);
    if (!sequence.well_formed) return at;
    at += sequence.length;
  }
  return text.size();
}

std::string with_replacement_characters(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes, at);
    if (sequence.well_formed)
      text.append(bytes, at, sequence.length);
    else
      text += "\uFFFD";
    at += sequence.length;
  }
  return text;
}

}  // namespace burnish
