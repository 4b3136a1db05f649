// Is this text well-formed UTF-8 (Unicode 15, table 3-7)? Names in foreign files must be.
#pragma once

#include <string>
#include <string_view>

namespace burnish {

bool is_utf8(std::string_view text);

/// The text with U+FFFD in place of every byte that belongs to no character.
std::string as_utf8(std::string_view text);

}  // namespace burnish
