// AdamW over the trained parameters, with the norm that clips them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model.h"
#include "recipe/recipe.h"

namespace burnish {

struct UpdateResult {
  double gradient_norm =
      0;  ///< L2 over all trained parameters, before clipping; a tied one counts once
  bool skipped = false;  ///< the norm was not finite: nothing was changed
};

class Optimizer {
 public:
  /// Moments start at zero; they are allocated when first needed, so that the first step begins
  /// sooner. @throws Error(recipe) for a group pattern that matches nothing.
  Optimizer(const ModelParameters& parameters, const OptimizerRecipe& recipe);

  /// One update from the gradient buffers: clip by the global norm (coefficient
  /// clip / (norm + 1e-6), only if below 1, as torch.nn.utils.clip_grad_norm_), then AdamW.
  /// @param step       of the run, from 0, for the learning rate
  UpdateResult update(int64_t step, int64_t total_steps);

  /// Updates done; a skipped step does not count (bias correction).
  int64_t updates() const { return updates_; }

  /// Named state tensors ("NAME.moment1", "NAME.moment2") for a checkpoint.
  struct State {
    std::string name;
    at::Tensor tensor;
  };
  std::vector<State> state();
  void set_updates(int64_t updates) { updates_ = updates; }

 private:
  struct Slot {
    const ParameterDeclaration* declared;
    Weight weight;
    at::Tensor moment1, moment2;
    double learning_rate, weight_decay;
  };
  double gradient_norm() const;
  void allocate_moments();

  const ModelParameters& parameters_;
  OptimizerRecipe recipe_;
  std::vector<Slot> slots_;
  int64_t updates_ = 0;
};

}  // namespace burnish
