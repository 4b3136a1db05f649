// How many columns a terminal gives to a text.
#pragma once

#include <string>
#include <string_view>

namespace burnish {

/// Columns of UTF-8 text: combining marks 0, East Asian wide characters and emoji 2, others 1.
/// A byte that is not UTF-8 counts 1.
int display_width(std::string_view text);

/// The longest beginning of at most `columns` columns; a cut ends in "…" where there is room.
std::string fit_columns(std::string_view text, int columns);

/// Control characters (line ends, escape sequences, those of C1) become spaces or "�", so that a
/// text stays in its line and cannot steer the terminal.
std::string one_line(std::string_view text);

}  // namespace burnish
