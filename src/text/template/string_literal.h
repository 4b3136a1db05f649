// The escapes of a string literal.
#pragma once

#include <string>
#include <string_view>

namespace burnish::jinja {

/// Python's "unicode-escape" as the original applies it. `problem` says what is wrong, if anything.
std::string unescaped(std::string_view body, std::string& problem);

}  // namespace burnish::jinja
