// Colours, only where somebody sees them.
#pragma once

namespace burnish {

/// Escape sequences, all empty without a terminal or with NO_COLOR set.
struct Colours {
  const char* red = "";
  const char* yellow = "";
  const char* green = "";
  const char* bold = "";
  const char* dim = "";
  const char* plain = "";
};

Colours colours_of_stdout();
Colours colours_of_stderr();

/// Whether somebody types.
bool stdin_is_terminal();

}  // namespace burnish
