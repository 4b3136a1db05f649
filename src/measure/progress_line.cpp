#include "measure/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "measure/display_width.h"

namespace burnish {
namespace {

constexpr int kBarColumns = 16;
constexpr std::string_view kGap = "  ";

std::string bar(double done) {
  const int halves = static_cast<int>(std::lround(done * 2 * kBarColumns));
  std::string text;
  for (int i = 0; i < halves / 2; ++i) text += "━";
  if (halves % 2 != 0) text += "╸";
  text.append(static_cast<size_t>(kBarColumns - (halves + 1) / 2), ' ');
  return text;
}

// A part of the line; the lowest `rank` is left out last.
struct Part {
  int rank;
  std::string text;
};

std::vector<Part> parts_of(const Progress& progress) {
  const double done = std::isfinite(progress.done) ? std::clamp(progress.done, 0.0, 1.0) : 0.0;
  std::vector<Part> parts;
  parts.push_back({0, progress.total_steps
                          ? fmt::format("step {}/{}", progress.step, *progress.total_steps)
                          : fmt::format("step {}", progress.step)});
  parts.push_back({8, bar(done)});
  parts.push_back({1, fmt::format("{:3.0f}%", std::floor(done * 100))});
  if (progress.loss) parts.push_back({3, fmt::format("loss {:.4g}", *progress.loss)});
  if (progress.learning_rate) {
    parts.push_back({5, fmt::format("lr {:.2e}", *progress.learning_rate)});
  }
  if (progress.tokens_per_s) {
    parts.push_back({4, fmt::format("{:.0f} tok/s", *progress.tokens_per_s)});
  }
  if (progress.matrix_rate_share) {
    parts.push_back({7, fmt::format("{:.0f}% of matrix rate", *progress.matrix_rate_share * 100)});
  }
  if (progress.rss_mib) parts.push_back({6, memory_text(*progress.rss_mib)});
  if (progress.time_left_s) {
    parts.push_back({2, duration_text(*progress.time_left_s) + " left"});
  }
  return parts;
}

std::string joined(const std::vector<Part>& parts) {
  std::string line;
  for (const Part& part : parts) {
    if (!line.empty()) line += kGap;
    line += part.text;
  }
  return line;
}

}  // namespace

std::string progress_line(const Progress& progress, int columns) {
  std::vector<Part> parts = parts_of(progress);
  while (parts.size() > 1 && display_width(joined(parts)) > columns) {
    parts.erase(std::max_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.rank < b.rank; }));
  }
  return fit_columns(joined(parts), columns);
}

}  // namespace burnish
