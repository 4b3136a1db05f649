// The learning rate of each step.
#pragma once

#include <cstdint>

#include "recipe/recipe.h"

namespace burnish {

/// Warm-up steps W of a run of `total_steps`: the count, or the fraction of the run (rounded up, as
/// transformers does).
int64_t warmup_steps(const ScheduleRecipe& schedule, int64_t total_steps);

/// The factor on the base rate that step `step` (from 0) uses; min_learning_rate apart.
/// With S = total_steps and W warm-up steps, n = step (+ 1 in warm-up with first_step `next`):
///   n < W: n / W;  constant: 1;  linear: (S - n) / (S - W);
///   cosine: (1 + cos(pi (n - W) / (S - W))) / 2;  never below 0.
double schedule_factor(const ScheduleRecipe& schedule, int64_t step, int64_t total_steps);

/// min + (base - min) * factor after warm-up; base * factor during warm-up (it starts from 0).
double learning_rate_at(const OptimizerRecipe& optimizer, double base, int64_t step,
                        int64_t total_steps);

}  // namespace burnish
