#include "kernel/adamw.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/lerp.h>

#include <cmath>

#include "kernel/adamw_cpu.h"
#include "kernel/check.h"

namespace burnish {
namespace {

void check_shapes(const at::Tensor& weight, const at::Tensor& gradient, const at::Tensor& moment1,
                  const at::Tensor& moment2, const AdamWStep& step) {
  require(step.step >= 1, "adamw", "step ", step.step, " is below 1");
  for (const at::Tensor* other : {&gradient, &moment1, &moment2})
    require(other->sizes() == weight.sizes(), "adamw", "shape ", other->sizes(),
            " beside a weight of ", weight.sizes());
}

double root_correction(const AdamWStep& step) {
  return std::sqrt(1.0 - std::pow(step.beta2, static_cast<double>(step.step)));
}

double step_size(const AdamWStep& step) {
  return step.learning_rate / (1.0 - std::pow(step.beta1, static_cast<double>(step.step)));
}

}  // namespace

void adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1, at::Tensor& moment2,
           const AdamWStep& step) {
  check_shapes(weight, gradient, moment1, moment2, step);
  const bool in_memory = weight.is_contiguous() && gradient.is_contiguous() &&
                         moment1.is_contiguous() && moment2.is_contiguous();
  if (!in_memory || !on_cpu_in_fp32(weight, gradient, moment1, moment2))
    return portable::adamw(weight, gradient, moment1, moment2, step);
  const cpu::AdamWFactors factors{static_cast<float>(1.0 - step.learning_rate * step.weight_decay),
                                  static_cast<float>(step.gradient_scale),
                                  static_cast<float>(1.0 - step.beta1),
                                  static_cast<float>(step.beta2),
                                  static_cast<float>(1.0 - step.beta2),
                                  static_cast<float>(root_correction(step)),
                                  static_cast<float>(step.epsilon),
                                  static_cast<float>(step_size(step))};
  cpu::adamw(weight.numel(), weight.data_ptr<float>(), gradient.const_data_ptr<float>(),
             moment1.data_ptr<float>(), moment2.data_ptr<float>(), factors);
}

double sum_of_squares(const at::Tensor& values) {
  if (!on_cpu_in_fp32(values) || !values.is_contiguous()) return portable::sum_of_squares(values);
  return cpu::sum_of_squares(values.numel(), values.const_data_ptr<float>());
}

void portable::adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1,
                     at::Tensor& moment2, const AdamWStep& step) {
  check_shapes(weight, gradient, moment1, moment2, step);
  const at::NoGradGuard no_grad;
  const auto wide = weight.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const at::Tensor g = gradient.to(wide) * step.gradient_scale;
  const at::Tensor m = at::lerp(moment1.to(wide), g, 1.0 - step.beta1);
  const at::Tensor v = moment2.to(wide) * step.beta2 + g.square() * (1.0 - step.beta2);
  const at::Tensor divisor = v.sqrt() / root_correction(step) + step.epsilon;
  const at::Tensor decayed = weight.to(wide) * (1.0 - step.learning_rate * step.weight_decay);
  moment1.copy_(m);
  moment2.copy_(v);
  weight.copy_(decayed - m / divisor * step_size(step));
}

double portable::sum_of_squares(const at::Tensor& values) {
  return values.detach().to(at::kDouble).square().sum().item<double>();
}

}  // namespace burnish
