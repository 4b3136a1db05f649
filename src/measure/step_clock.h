// Where the time of a run goes: optimizer steps, the wait for data in them, and what stands outside
// (evaluation, prompts, checkpoints).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace burnish {

/// One reading of the three clocks, in seconds.
struct ClockReading {
  double monotonic_s = 0;
  double cpu_s = 0;  ///< of the whole process, all threads
  double realtime_s = 0;
};
ClockReading read_clocks();

struct StepTimes {
  double step_s = 0;       ///< wall, without what was outside
  double cpu_s = 0;        ///< processor seconds, without what was outside
  double data_wait_s = 0;  ///< part of step_s
};

/// The figures of a whole run. The rates leave out the first step, which pays for warming up;
/// empty where there is nothing to divide by.
struct Throughput {
  int64_t steps = 0;
  int64_t tokens = 0;                     ///< of all steps; padding is not counted
  double steps_s = 0;                     ///< sum of step_s over all steps
  double outside_s = 0;                   ///< evaluation, prompts, checkpoints
  std::optional<double> tokens_per_s;     ///< steps after the first
  std::optional<double> cpu_s_per_token;  ///< steps after the first
  std::optional<double> data_wait_share;  ///< of step_s, steps after the first
  std::optional<double> startup_s;        ///< process start to the begin of the first step
  double peak_rss_mib = 0;                ///< of the process so far
};

/// Times the steps of one process. Not thread-safe: the training thread owns it.
class StepClock {
 public:
  /// @param process_start_s process_start_s() of measure/process.h
  explicit StepClock(double process_start_s, std::function<ClockReading()> read = read_clocks);

  /// Begins a step; the wait for its data belongs in it.
  void begin_step();
  /// Runs `fetch` inside a step and books its wall time as the wait for data.
  template <typename Fetch>
  auto wait_for_data(Fetch&& fetch) {
    const Interval interval(*this, data_wait_s_);
    return fetch();
  }
  /// Runs `work` outside the timing, between steps or inside one.
  template <typename Work>
  auto outside(Work&& work) {
    const Interval interval(*this, outside_now_s_, &outside_now_cpu_s_);
    return work();
  }
  /// Ends the step. @param tokens of it, without padding
  /// @throws Error(internal) without a begin_step() before it.
  StepTimes end_step(int64_t tokens);

  Throughput summary() const;
  /// Wall seconds since the begin of the first step, everything in it; 0 before.
  double elapsed_s() const;
  /// tokens / step_s over the last `count` steps; empty before the second step's end.
  std::optional<double> recent_tokens_per_s(int64_t count = 10) const;

 private:
  class Interval {
   public:
    Interval(StepClock& clock, double& wall_s, double* cpu_s = nullptr)
        : clock_(clock), wall_s_(wall_s), cpu_s_(cpu_s), begin_(clock.read_()) {}
    ~Interval() {
      const ClockReading end = clock_.read_();
      wall_s_ += end.monotonic_s - begin_.monotonic_s;
      if (cpu_s_ != nullptr) *cpu_s_ += end.cpu_s - begin_.cpu_s;
    }
    Interval(const Interval&) = delete;
    Interval& operator=(const Interval&) = delete;

   private:
    StepClock& clock_;
    double& wall_s_;
    double* cpu_s_;
    ClockReading begin_;
  };
  struct Step {
    StepTimes times;
    int64_t tokens;
  };

  double process_start_s_;
  std::function<ClockReading()> read_;
  std::optional<ClockReading> first_begin_, begin_;
  double data_wait_s_ = 0, outside_now_s_ = 0, outside_now_cpu_s_ = 0, outside_s_ = 0;
  std::vector<Step> steps_;
};

/// Seconds until the end at the pace so far. `done_at_begin` is the share that stood finished when
/// this process began (a resumed run). Empty before anything was done; never negative.
std::optional<double> time_left_s(double elapsed_s, double done_now, double done_at_begin = 0);

}  // namespace burnish
