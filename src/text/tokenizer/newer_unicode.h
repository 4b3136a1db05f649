// Characters that the tokenizers package knows and our libraries do not, or the reverse. Its tokens
// and offsets depend on the Unicode versions of its parts: regular expressions and digits 17,
// normal forms 9 (tokenizers 0.23.3); PCRE2 10.42 has 14, utf8proc 2.8 has 15.
#pragma once

#include <string>
#include <string_view>

namespace burnish {

/// Characters newer than Unicode 14 of a general category ("Lu") or a group of them ("L"), as the
/// members of a PCRE2 class; empty if there are none.
std::string newer_members_of(std::string_view category);

/// A number that is newer than Unicode 14.
bool is_newer_number(char32_t code);

/// Has it a combining class, a decomposition or a composition that Unicode 9 lacked?
bool is_newer_than_normal_forms(char32_t code);

}  // namespace burnish
