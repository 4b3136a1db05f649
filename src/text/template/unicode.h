// Characters of UTF-8 text as Python's str sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace burnish::jinja {

size_t count_characters(std::string_view text);
/// The byte where character number `index` starts; text.size() if there are fewer.
size_t byte_of_character(std::string_view text, size_t index);

/// The character that starts at `position`, which moves behind it. Broken UTF-8 gives its byte.
char32_t next_character(std::string_view text, size_t& position);
/// The character that ends at `position`, which moves to its start.
char32_t previous_character(std::string_view text, size_t& position);
void append_utf8(std::string& out, char32_t character);

bool is_space(char32_t c);       ///< str.isspace
bool is_line_break(char32_t c);  ///< a border of str.splitlines
bool is_printable(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_title(char32_t c);
bool is_cased(char32_t c);
bool is_alpha(char32_t c);
bool is_decimal(char32_t c);
bool is_digit(char32_t c);
bool is_numeric(char32_t c);
bool is_word(char32_t c);  ///< \w of a regular expression
bool is_identifier_start(char32_t c);
bool is_identifier_part(char32_t c);
/// 0 to 9 of a decimal digit of any script; -1 otherwise.
int decimal_value(char32_t c);

/// Full case mappings: one character may become up to three. `text` and `position` (of the
/// character's start) decide the form of a final sigma.
void append_upper(std::string& out, char32_t c);
void append_lower(std::string& out, char32_t c, std::string_view text, size_t position);
void append_title(std::string& out, char32_t c);
void append_folded(std::string& out, char32_t c);

/// Python's whitespace cut off at both ends, as byte positions.
size_t skip_space(std::string_view text);
size_t end_without_space(std::string_view text);

}  // namespace burnish::jinja
