// A program of the user's that gets the metrics as lines of JSON on its standard input, for
// services like W&B or MLflow. Nothing that it does holds the run up.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace burnish {

struct TrackerLimits {
  size_t queue_bytes = size_t{16} << 20;  ///< lines that wait for the program; what is more is lost
  double patience_s = 30;                 ///< for the end: to read the rest, and then to exit
};

struct TrackerEnd {
  int64_t lines_sent = 0, lines_lost = 0;
  std::optional<int> exit_code;  ///< 128 + signal if it was killed; nullopt: it never started
  bool stopped = false;          ///< it did not end by itself in time
};

class Tracker {
 public:
  /// Starts `sh -c COMMAND` in a process group of its own, so that Ctrl-C reaches the run alone;
  /// what it prints goes to `log_file`. A start that fails is a warning.
  Tracker(std::string command, const std::filesystem::path& log_file,
          const TrackerLimits& limits = {});
  ~Tracker();
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// Queues a line (without its line end) and returns at once. Once the program has ended or its
  /// queue is full, the line is lost, which is warned about once.
  void send(const std::string& line);

  /// Gives the program `patience_s` to read the rest, closes its input, gives it as long again to
  /// exit, then stops it. Says what went wrong. Further calls do nothing.
  TrackerEnd finish();

 private:
  void start(const std::filesystem::path& log_file);
  void write_lines();
  bool write_all(const std::string& line);
  void wait_for_exit();
  void warn(const std::string& what) const;

  const std::string command_;
  const TrackerLimits limits_;
  std::string log_file_;
  pid_t child_ = -1;
  int pipe_ = -1;
  std::thread writer_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> queue_;
  size_t queued_bytes_ = 0;
  bool closing_ = false, deaf_ = false;  ///< no more lines come; nobody reads them
  double give_up_at_s_ = 0;              ///< monotonic; 0: not yet
  bool finished_ = false;
  TrackerEnd end_;
};

}  // namespace burnish
