#include "train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "train/tiny_run_helper.h"

namespace burnish {
namespace {

ScheduleRecipe schedule(const std::string& name, int64_t warmup, const std::string& first_step) {
  ScheduleRecipe recipe;
  recipe.name = name;
  recipe.warmup_steps = warmup;
  recipe.first_step = first_step;
  return recipe;
}

// "linear steps=10 warmup=4" and its kind: transformers' get_scheduler.
TEST(Schedule, TransformersTables) {
  const auto tables = testing_tools::expected_of("I05")["tables"];
  ASSERT_FALSE(tables.empty());
  for (const auto& [title, table] : tables.items()) {
    char name[32];
    int steps = 0, warmup = 0;
    ASSERT_EQ(std::sscanf(title.c_str(), "%31s steps=%d warmup=%d", name, &steps, &warmup), 3)
        << title;
    const std::string kind = std::string(name) == "constant_with_warmup" ? "constant" : name;
    const ScheduleRecipe recipe = schedule(kind, warmup, "zero");
    const auto& factors = table["factor_used_by_step_1..n"];
    for (size_t i = 0; i < factors.size(); ++i)
      EXPECT_NEAR(schedule_factor(recipe, static_cast<int64_t>(i), steps), factors[i], 1e-9)
          << title << " step " << i + 1;
    EXPECT_NEAR(schedule_factor(recipe, steps, steps), table["after_last_step"], 1e-9) << title;
  }
}

TEST(Schedule, WarmupOfAFractionRoundsUp) {
  ScheduleRecipe recipe;
  recipe.warmup_fraction = 0.1;
  const auto expected = testing_tools::expected_of("I05");
  for (const auto& count : expected["counts"])
    EXPECT_EQ(warmup_steps(recipe, count["optimizer_steps"]), count["warmup_steps_for_ratio_0.1"]);
}

// The recipe of 20 steps, 2 of warm-up, 1e-5 to 1e-6: its rates by its own arithmetic.
TEST(Schedule, CosineToAMinimumFromZero) {
  OptimizerRecipe optimizer;
  optimizer.learning_rate = 1e-5;
  optimizer.schedule = schedule("cosine", 2, "zero");
  optimizer.schedule.min_learning_rate = 1e-6;
  const std::vector<std::pair<int64_t, double>> rates{
      {0, 0.0},       {1, 5e-6},    {2, 1e-5},       {3, 9.9316e-6}, {4, 9.7286e-6},
      {5, 9.3971e-6}, {11, 5.5e-6}, {18, 1.2714e-6}, {19, 1.0684e-6}};
  for (const auto& [step, rate] : rates)
    EXPECT_NEAR(learning_rate_at(optimizer, 1e-5, step, 20), rate, 5e-11) << step;
}

TEST(Schedule, FirstStepOfNextIsNotWasted) {
  OptimizerRecipe optimizer;
  optimizer.schedule = schedule("cosine", 4, "next");
  EXPECT_DOUBLE_EQ(learning_rate_at(optimizer, 1.0, 0, 10), 0.25);
  EXPECT_DOUBLE_EQ(learning_rate_at(optimizer, 1.0, 3, 10), 1.0);
}

}  // namespace
}  // namespace burnish
