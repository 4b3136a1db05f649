#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace burnish {

int64_t warmup_steps(const ScheduleRecipe& schedule, int64_t total_steps) {
  if (schedule.warmup_steps) return *schedule.warmup_steps;
  return static_cast<int64_t>(
      std::ceil(schedule.warmup_fraction * static_cast<double>(total_steps)));
}

namespace {

double decay_factor(const std::string& name, int64_t step, int64_t warmup, int64_t total) {
  if (name == "constant") return 1.0;
  const auto decay_steps = static_cast<double>(std::max<int64_t>(1, total - warmup));
  if (name == "linear") return std::max(0.0, static_cast<double>(total - step) / decay_steps);
  const double progress = static_cast<double>(step - warmup) / decay_steps;
  return progress >= 1.0 ? 0.0 : 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
}

double warmup_factor(const ScheduleRecipe& schedule, int64_t step, int64_t warmup) {
  const int64_t n = schedule.first_step == "zero" ? step : step + 1;
  return static_cast<double>(n) / static_cast<double>(warmup);
}

}  // namespace

double schedule_factor(const ScheduleRecipe& schedule, int64_t step, int64_t total_steps) {
  const int64_t warmup = warmup_steps(schedule, total_steps);
  return step < warmup ? warmup_factor(schedule, step, warmup)
                       : decay_factor(schedule.name, step, warmup, total_steps);
}

double learning_rate_at(const OptimizerRecipe& optimizer, double base, int64_t step,
                        int64_t total_steps) {
  const ScheduleRecipe& schedule = optimizer.schedule;
  const double factor = schedule_factor(schedule, step, total_steps);
  if (step < warmup_steps(schedule, total_steps)) return base * factor;
  const double floor = std::min(base, schedule.min_learning_rate);
  return floor + (base - floor) * factor;
}

}  // namespace burnish
