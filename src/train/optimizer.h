// AdamW over the trained parameters, with the norm that clips them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model.h"
#include "recipe/recipe.h"

namespace burnish {

class Optimizer {
 public:
  /// Moments start at zero; they are allocated when first needed, so that the first step begins
  /// sooner. @throws Error(recipe) for a group pattern that matches nothing.
  Optimizer(const ModelParameters& parameters, const OptimizerRecipe& recipe,
            at::ScalarType moments = at::kFloat);

  /// L2 over the gradients of all trained parameters; a tied one counts once.
  /// @param loss_scale what the gradients are too large by
  double gradient_norm(double loss_scale = 1.0) const;

  /// One update from the gradient buffers: clip by their norm (coefficient clip / (norm + 1e-6),
  /// only if below 1, as torch.nn.utils.clip_grad_norm_), then AdamW.
  /// @param step          of the run, from 0, for the learning rate
  /// @param gradient_norm finite
  void update(int64_t step, int64_t total_steps, double gradient_norm, double loss_scale = 1.0);

  /// Updates done; a skipped step does not count (bias correction).
  int64_t updates() const { return updates_; }

  /// Named state tensors ("NAME.moment1", "NAME.moment2", "NAME.master") for a checkpoint.
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
  void allocate_state();

  const ModelParameters& parameters_;
  OptimizerRecipe recipe_;
  at::ScalarType moments_;
  std::vector<Slot> slots_;
  int64_t updates_ = 0;
};

}  // namespace burnish
