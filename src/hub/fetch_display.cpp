#include "hub/fetch_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/readable.h"

namespace burnish {

std::string fetch_line(const FetchProgress& progress, int columns) {
  const auto done = static_cast<double>(progress.bytes);
  const auto total = static_cast<double>(progress.total_bytes);
  std::vector<std::string> parts = {
      total > 0 ? fmt::format("{:.0f}%", 100 * std::min(done / total, 1.0)) : std::string("0%"),
      fmt::format("{} of {}", size_text(progress.bytes), size_text(progress.total_bytes))};
  const double gained = std::max(done - static_cast<double>(progress.bytes_at_begin), 0.0);
  if (progress.elapsed_s > 1 && gained > 0) {
    const double rate = gained / progress.elapsed_s;
    parts.push_back(duration_text(std::max(total - done, 0.0) / rate) + " left");
    parts.push_back(fmt::format("{:.1f} MiB/s", rate / 1048576));
  }
  // what follows is left out first
  std::string line = progress.name;
  for (const std::string& part : parts)
    if (line.size() + 2 + part.size() <= static_cast<size_t>(std::max(columns, 0)))
      line += "  " + part;
  return line.substr(0, static_cast<size_t>(std::max(columns, 0)));
}

FetchDisplay::FetchDisplay(std::string name) : columns_(terminal_columns(STDERR_FILENO)) {
  progress_.name = std::move(name);
}

FetchDisplay::~FetchDisplay() {
  wipe();
}

void FetchDisplay::begin(uint64_t total_bytes) {
  const std::scoped_lock lock(mutex_);
  progress_.total_bytes = total_bytes;
  start_ = std::chrono::steady_clock::now();
}

void FetchDisplay::add(int64_t bytes, bool from_before) {
  const std::scoped_lock lock(mutex_);
  progress_.bytes += static_cast<uint64_t>(bytes);
  if (from_before) progress_.bytes_at_begin += static_cast<uint64_t>(bytes);
}

void FetchDisplay::notice(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  wipe();
  log_warning(text);
}

void FetchDisplay::draw() {
  const std::scoped_lock lock(mutex_);
  columns_ = terminal_columns(STDERR_FILENO);
  if (!columns_) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  progress_.elapsed_s = elapsed.count();
  std::fprintf(stderr, "\r\033[K%s", fetch_line(progress_, *columns_ - 1).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void FetchDisplay::wipe() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

}  // namespace burnish
