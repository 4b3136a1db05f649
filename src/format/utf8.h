// Well-formed UTF-8 (Unicode, table 3-7): where it ends, and text made of bytes that are not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace burnish {

/// The first byte that is not well-formed UTF-8; `text.size()` if all is well.
size_t first_invalid_utf8(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return first_invalid_utf8(text) == text.size();
}

/// Every maximal ill-formed part becomes one U+FFFD (Unicode, section 3.9, as Rust and WHATWG do).
std::string with_replacement_characters(std::string_view bytes);

}  // namespace burnish
