#include "base/readable.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace burnish {

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 59.5) return fmt::format("{:.0f} s", std::max(seconds, 0.0));
  if (seconds < 3599.5) {
    const auto whole = std::llround(seconds);
    return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  }
  const auto minutes = std::llround(std::min(seconds, 1e12) / 60);
  if (minutes < 24 * 60) return fmt::format("{}:{:02} h", minutes / 60, minutes % 60);
  return fmt::format("{} d {} h", minutes / (24 * 60), minutes / 60 % 24);
}

std::string memory_text(double mib) {
  if (!std::isfinite(mib)) return "?";
  return mib < 1000 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

std::string size_text(uint64_t bytes) {
  return memory_text(static_cast<double>(bytes) / 1048576);
}

std::string step_text(int64_t step) {
  return fmt::format("step {}", step);
}

std::optional<int> terminal_columns(int descriptor) {
  if (isatty(descriptor) == 0) return std::nullopt;
  winsize size{};
  constexpr int kUsual = 80;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

}  // namespace burnish
