#pragma once

#include <string_view>

namespace burnish {

/// Bytes of the longest prefix that is well-formed UTF-8 (Unicode 15, table 3-7).
size_t utf8_prefix(std::string_view text);

}  // namespace burnish
