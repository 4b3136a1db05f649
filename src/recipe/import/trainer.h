// Steps that rules of several trainers share.
#pragma once

#include "recipe/import/trainer_rules.h"
#include "recipe/import/translation.h"

namespace burnish::foreign {

/// The schedule's shape; `floor` is where the learning rate ends.
struct Shape {
  std::string name;  ///< of a recipe; empty: refused
  std::optional<double> floor;
};
/// Of lr_scheduler_type and lr_scheduler_kwargs.
Shape schedule_shape(Translation& t);
/// Puts warm-up steps (1 or more), or the share of the run (below 1); step 0 has rate 0.
void put_warmup(Translation& t, double length, Keys from, const std::string& remark = "");

/// Weights kept and products computed in fp32, bf16 or fp16, as a recipe's precision.
void put_precision(Translation& t, const std::string& weights, const std::string& compute,
                   Keys from, const std::string& instead);
/// "bf16" and the like of a torch dtype's name; empty for any other.
std::string precision_name(const std::string& dtype);

/// The number of evaluations without gain that ends the run.
void put_stopping(Translation& t, std::string_view key);

/// save_steps and the like: whole steps, or nothing for a share of the run.
std::optional<int64_t> steps_of(const Translation& t, std::string_view key);

}  // namespace burnish::foreign
