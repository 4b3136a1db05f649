#include "train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "kernel/adamw.h"
#include "train/glob.h"
#include "train/schedule.h"

namespace burnish {
namespace {

const ParameterGroup* group_of(const OptimizerRecipe& recipe, const std::string& name) {
  for (const ParameterGroup& group : recipe.groups)
    if (glob_matches(group.pattern, name)) return &group;
  return nullptr;
}

}  // namespace

Optimizer::Optimizer(const ModelParameters& parameters, const OptimizerRecipe& recipe)
    : parameters_(parameters), recipe_(recipe) {
  at::NoGradGuard no_grad;
  const ModelDeclaration& declaration = parameters.declaration();
  for (size_t i = 0; i < recipe.groups.size(); ++i)
    check_patterns({recipe.groups[i].pattern}, declaration,
                   "optimizer.groups[" + std::to_string(i) + "].pattern");
  for (size_t i = 0; i < declaration.parameters.size(); ++i) {
    const Weight& weight = parameters.all()[i];
    if (!weight.trained()) continue;
    const ParameterDeclaration& declared = declaration.parameters[i];
    const ParameterGroup* group = group_of(recipe, declared.name);
    const double base_decay = declared.decays ? recipe.weight_decay : 0.0;
    slots_.push_back({&declared, weight, at::Tensor(), at::Tensor(),
                      group && group->learning_rate ? *group->learning_rate : recipe.learning_rate,
                      group && group->weight_decay ? *group->weight_decay : base_decay});
  }
}

void Optimizer::allocate_moments() {
  at::NoGradGuard no_grad;
  for (Slot& slot : slots_) {
    if (slot.moment1.defined()) return;
    slot.moment1 = at::zeros_like(slot.weight.gradient);
    slot.moment2 = at::zeros_like(slot.weight.gradient);
  }
}

double Optimizer::gradient_norm() const {
  double squares = 0;
  for (const Slot& slot : slots_) squares += sum_of_squares(slot.weight.gradient);
  return std::sqrt(squares);
}

UpdateResult Optimizer::update(int64_t step, int64_t total_steps) {
  at::NoGradGuard no_grad;
  UpdateResult result{gradient_norm(), false};
  if (!std::isfinite(result.gradient_norm)) {
    result.skipped = true;
    return result;
  }
  double scale = 1.0;
  if (recipe_.clip_norm) scale = std::min(1.0, *recipe_.clip_norm / (result.gradient_norm + 1e-6));
  allocate_moments();
  ++updates_;
  for (Slot& slot : slots_) {
    at::Tensor value = slot.weight.value;
    adamw(value, slot.weight.gradient, slot.moment1, slot.moment2,
          {.learning_rate = learning_rate_at(recipe_, slot.learning_rate, step, total_steps),
           .beta1 = recipe_.beta1,
           .beta2 = recipe_.beta2,
           .epsilon = recipe_.epsilon,
           .weight_decay = slot.weight_decay,
           .step = updates_,
           .gradient_scale = scale});
  }
  return result;
}

std::vector<Optimizer::State> Optimizer::state() {
  allocate_moments();
  std::vector<State> state;
  for (const Slot& slot : slots_) {
    state.push_back({slot.declared->name + ".moment1", slot.moment1});
    state.push_back({slot.declared->name + ".moment2", slot.moment2});
  }
  return state;
}

}  // namespace burnish
