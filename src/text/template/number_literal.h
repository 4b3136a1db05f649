// The number literals: 42, 0x2A, 1_000, 1.5e3.
#pragma once

#include <string>
#include <string_view>

#include "text/template/token.h"

namespace burnish::jinja {

/// The number that starts with the digit at `position`, which moves behind it; an integer beyond
/// 64 bits keeps its digits as text. `problem` says what is wrong, if anything.
Token read_number(std::string_view source, size_t& position, std::string& problem);

}  // namespace burnish::jinja
