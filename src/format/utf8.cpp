#include "format/utf8.h"

#include <cstddef>
#include <cstdint>

namespace burnish {
namespace {

// Length of the sequence that starts with `lead`, and the range of its second byte; 0: no lead.
struct Lead {
  int length;
  uint8_t low, high;
};

Lead lead_of(uint8_t lead) {
  if (lead < 0x80) return {1, 0x80, 0xBF};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};  // no overlong forms
  if (lead == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};  // nothing above U+10FFFF
  return {0, 0, 0};
}

// Length of the character at byte `i`; 0: there is none.
size_t length_at(std::string_view text, size_t i) {
  const Lead lead = lead_of(static_cast<uint8_t>(text[i]));
  const auto length = static_cast<size_t>(lead.length);
  if (text.size() - i < length) return 0;
  for (size_t k = 1; k < length; ++k) {
    const auto next = static_cast<uint8_t>(text[i + k]);
    if (next < (k == 1 ? lead.low : 0x80) || next > (k == 1 ? lead.high : 0xBF)) return 0;
  }
  return length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (size_t i = 0, length = 0; i < text.size(); i += length) {
    length = length_at(text, i);
    if (length == 0) return false;
  }
  return true;
}

std::string as_utf8(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t length = length_at(text, i);
    if (length == 0)
      result += "\uFFFD";
    else
      result += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace burnish
