#include "kernel/adamw.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/lerp.h>

#include <algorithm>
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

bool all_fp32(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d) {
  return a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat &&
         c.scalar_type() == at::kFloat && d.scalar_type() == at::kFloat;
}

// bf16 and fp16 pass through buffers of this many elements.
constexpr int64_t kChunk = 1 << 18;

template <class Take>
void by_chunks(int64_t n, int64_t chunk, const Take& take) {
  for (int64_t begin = 0; begin < n; begin += chunk) take(begin, std::min(chunk, n - begin));
}

}  // namespace

void adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1, at::Tensor& moment2,
           const AdamWStep& step) {
  check_shapes(weight, gradient, moment1, moment2, step);
  const bool in_memory = weight.is_contiguous() && gradient.is_contiguous() &&
                         moment1.is_contiguous() && moment2.is_contiguous();
  if (!in_memory || !on_cpu_up_to_fp32(weight, gradient, moment1, moment2))
    return portable::adamw(weight, gradient, moment1, moment2, step);
  const cpu::AdamWFactors factors{static_cast<float>(1.0 - step.learning_rate * step.weight_decay),
                                  static_cast<float>(step.gradient_scale),
                                  static_cast<float>(1.0 - step.beta1),
                                  static_cast<float>(step.beta2),
                                  static_cast<float>(1.0 - step.beta2),
                                  static_cast<float>(root_correction(step)),
                                  static_cast<float>(step.epsilon),
                                  static_cast<float>(step_size(step))};
  const int64_t n = weight.numel();
  const at::NoGradGuard no_grad;
  by_chunks(n, all_fp32(weight, gradient, moment1, moment2) ? n : kChunk,
            [&](int64_t begin, int64_t count) {
              const auto part = [&](const at::Tensor& t) {
                return t.view(n).narrow(0, begin, count);
              };
              const at::Tensor w = wide(part(weight)), g = wide(part(gradient)),
                               m = wide(part(moment1)), v = wide(part(moment2));
              cpu::adamw(count, w.data_ptr<float>(), g.const_data_ptr<float>(), m.data_ptr<float>(),
                         v.data_ptr<float>(), factors);
              const auto round_into = [&](const at::Tensor& t, const at::Tensor& widened) {
                if (is_half(t.scalar_type())) part(t).copy_(widened);
              };
              round_into(weight, w);
              round_into(moment1, m);
              round_into(moment2, v);
            });
}

double sum_of_squares(const at::Tensor& values) {
  if (!on_cpu_up_to_fp32(values) || !values.is_contiguous())
    return portable::sum_of_squares(values);
  const int64_t n = values.numel();
  double sum = 0;
  by_chunks(n, values.scalar_type() == at::kFloat ? n : kChunk, [&](int64_t begin, int64_t count) {
    const at::Tensor x = wide(values.detach().view(n).narrow(0, begin, count));
    sum += cpu::sum_of_squares(count, x.const_data_ptr<float>());
  });
  return sum;
}

void portable::adamw(at::Tensor& weight, const at::Tensor& gradient, at::Tensor& moment1,
                     at::Tensor& moment2, const AdamWStep& step) {
  check_shapes(weight, gradient, moment1, moment2, step);
  const at::NoGradGuard no_grad;
  const auto dtype = wide_dtype(weight.scalar_type());
  const at::Tensor g = gradient.to(dtype) * step.gradient_scale;
  const at::Tensor m = at::lerp(moment1.to(dtype), g, 1.0 - step.beta1);
  const at::Tensor v = moment2.to(dtype) * step.beta2 + g.square() * (1.0 - step.beta2);
  const at::Tensor divisor = v.sqrt() / root_correction(step) + step.epsilon;
  const at::Tensor decayed = weight.to(dtype) * (1.0 - step.learning_rate * step.weight_decay);
  moment1.copy_(m);
  moment2.copy_(v);
  weight.copy_(decayed - m / divisor * step_size(step));
}

double portable::sum_of_squares(const at::Tensor& values) {
  return values.detach().to(at::kDouble).square().sum().item<double>();
}

}  // namespace burnish
