// Is this text well-formed UTF-8 (Unicode 15, table 3-7)? Names in foreign files must be.
#pragma once

#include <string_view>

namespace burnish {

bool is_utf8(std::string_view text);

}  // namespace burnish
