#include "measure/step_clock.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "measure/process.h"

namespace burnish {

ClockReading read_clocks() {
  return {monotonic_s(), process_cpu_s(), realtime_s()};
}

StepClock::StepClock(double process_start_s, std::function<ClockReading()> read)
    : process_start_s_(process_start_s), read_(std::move(read)) {}

void StepClock::begin_step() {
  outside_s_ += outside_now_s_;
  outside_now_s_ = outside_now_cpu_s_ = data_wait_s_ = 0;
  begin_ = read_();
  if (!first_begin_) first_begin_ = begin_;
}

StepTimes StepClock::end_step(int64_t tokens) {
  if (!begin_) throw Error(ErrorCode::internal, "a step ended that did not begin", "StepClock");
  const ClockReading end = read_();
  const StepTimes times{end.monotonic_s - begin_->monotonic_s - outside_now_s_,
                        end.cpu_s - begin_->cpu_s - outside_now_cpu_s_, data_wait_s_};
  outside_s_ += outside_now_s_;
  outside_now_s_ = outside_now_cpu_s_ = 0;
  begin_.reset();
  steps_.push_back({times, tokens});
  return times;
}

Throughput StepClock::summary() const {
  Throughput all;
  all.steps = static_cast<int64_t>(steps_.size());
  double step_s = 0, cpu_s = 0, wait_s = 0;
  int64_t tokens = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    all.tokens += steps_[i].tokens;
    all.steps_s += steps_[i].times.step_s;
    if (i == 0) continue;
    step_s += steps_[i].times.step_s;
    cpu_s += steps_[i].times.cpu_s;
    wait_s += steps_[i].times.data_wait_s;
    tokens += steps_[i].tokens;
  }
  all.outside_s = outside_s_ + outside_now_s_;
  if (step_s > 0) {
    all.tokens_per_s = static_cast<double>(tokens) / step_s;
    all.data_wait_share = wait_s / step_s;
  }
  if (tokens > 0) all.cpu_s_per_token = cpu_s / static_cast<double>(tokens);
  if (first_begin_) all.startup_s = first_begin_->realtime_s - process_start_s_;
  all.peak_rss_mib = peak_rss_mib();
  return all;
}

double StepClock::elapsed_s() const {
  return first_begin_ ? read_().monotonic_s - first_begin_->monotonic_s : 0;
}

std::optional<double> StepClock::recent_tokens_per_s(int64_t count) const {
  const auto steps = static_cast<int64_t>(steps_.size());
  double step_s = 0;
  int64_t tokens = 0;
  for (int64_t i = std::max<int64_t>(1, steps - count); i < steps; ++i) {
    step_s += steps_[i].times.step_s;
    tokens += steps_[i].tokens;
  }
  if (step_s <= 0) return std::nullopt;
  return static_cast<double>(tokens) / step_s;
}

std::optional<double> time_left_s(double elapsed_s, double done_now, double done_at_begin) {
  const double gained = done_now - done_at_begin;
  if (!(gained > 0) || !(elapsed_s >= 0)) return std::nullopt;
  return std::max(0.0, elapsed_s * (1.0 - done_now) / gained);
}

}  // namespace burnish
