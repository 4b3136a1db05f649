#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace burnish {
namespace {

Colours colours_of(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = (no_color != nullptr && *no_color != '\0') ||
                       (term != nullptr && std::string_view(term) == "dumb");
  if (refused || ::isatty(descriptor) == 0) return {};
  return {"\033[31m", "\033[33m", "\033[32m", "\033[1m", "\033[2m", "\033[0m"};
}

}  // namespace

Colours colours_of_stdout() {
  return colours_of(STDOUT_FILENO);
}
Colours colours_of_stderr() {
  return colours_of(STDERR_FILENO);
}
bool stdin_is_terminal() {
  return ::isatty(STDIN_FILENO) != 0;
}

}  // namespace burnish
