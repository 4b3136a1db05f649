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

Optimizer::Optimizer(const ModelParameters& parameters, const OptimizerRecipe& recipe,
                     at::ScalarType moments)
    : parameters_(parameters), recipe_(recipe), moments_(moments) {
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

void Optimizer::allocate_state() {
  at::NoGradGuard no_grad;
  for (Slot& slot : slots_) {
    if (slot.moment1.defined()) return;
    const at::Tensor& gradient = slot.weight.gradient;
    slot.moment1 = at::zeros_like(gradient, gradient.options().dtype(moments_));
    slot.moment2 = at::zeros_like(slot.moment1);
  }
}

double Optimizer::gradient_norm(double loss_scale) const {
  double squares = 0;
  for (const Slot& slot : slots_) squares += sum_of_squares(slot.weight.gradient);
  return std::sqrt(squares) / loss_scale;
}

void Optimizer::update(int64_t step, int64_t total_steps, double gradient_norm, double loss_scale) {
  at::NoGradGuard no_grad;
  double clip = 1.0;
  if (recipe_.clip_norm) clip = std::min(1.0, *recipe_.clip_norm / (gradient_norm + 1e-6));
  allocate_state();
  ++updates_;
  for (Slot& slot : slots_) {
    at::Tensor updated = exact(slot.weight);
    adamw(updated, slot.weight.gradient, slot.moment1, slot.moment2,
          {.learning_rate = learning_rate_at(recipe_, slot.learning_rate, step, total_steps),
           .beta1 = recipe_.beta1,
           .beta2 = recipe_.beta2,
           .epsilon = recipe_.epsilon,
           .weight_decay = slot.weight_decay,
           .step = updates_,
           .gradient_scale = clip / loss_scale});
    round_to_value(slot.weight);
  }
}

std::vector<Optimizer::State> Optimizer::state() {
  allocate_state();
  std::vector<State> state;
  for (const Slot& slot : slots_) {
    state.push_back({slot.declared->name + ".moment1", slot.moment1});
    state.push_back({slot.declared->name + ".moment2", slot.moment2});
    if (slot.weight.master.defined())
      state.push_back({slot.declared->name + ".master", slot.weight.master});
  }
  return state;
}

}  // namespace burnish
