// What a person sees while files are fetched: one line on a terminal, notices everywhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace burnish {

struct FetchProgress {
  std::string name;
  uint64_t bytes = 0, total_bytes = 0;
  uint64_t bytes_at_begin = 0;  ///< of them, those that an earlier call had fetched
  double elapsed_s = 0;
};

/// At most `columns` columns: what matters least is left out first. Example:
/// "org/name  1.2 GiB of 3.4 GiB  35%  12 MiB/s  3:01 min left"
std::string fetch_line(const FetchProgress& progress, int columns);

/// Of one fetch; its functions may be called from several threads.
class FetchDisplay {
 public:
  /// Draws on stderr, where that is a terminal.
  explicit FetchDisplay(std::string name);
  ~FetchDisplay();  ///< wipes the line
  void begin(uint64_t total_bytes);
  /// @param from_before  they were there before this fetch: no part of the rate
  void add(int64_t bytes, bool from_before);
  void notice(const std::string& text);
  void draw();

 private:
  void wipe();
  std::mutex mutex_;
  std::optional<int> columns_;
  FetchProgress progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

}  // namespace burnish
