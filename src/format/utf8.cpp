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

}  // namespace

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const Lead lead = lead_of(static_cast<uint8_t>(text[i]));
    if (lead.length == 0 || text.size() - i < static_cast<size_t>(lead.length)) return false;
    for (int k = 1; k < lead.length; ++k) {
      const auto next = static_cast<uint8_t>(text[i + static_cast<size_t>(k)]);
      if (next < (k == 1 ? lead.low : 0x80) || next > (k == 1 ? lead.high : 0xBF)) return false;
    }
    i += static_cast<size_t>(lead.length);
  }
  return true;
}

}  // namespace burnish
