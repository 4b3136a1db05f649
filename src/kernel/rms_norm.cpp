#include "kernel/rms_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/zeros_like.h>

#include "kernel/check.h"
#include "kernel/differentiable.h"
#include "kernel/rms_norm_cpu.h"

namespace burnish {
namespace {

const float* data_or_null(const at::Tensor& t) {
  return t.defined() ? t.const_data_ptr<float>() : nullptr;
}

float* data_or_null(at::Tensor& t) {
  return t.defined() ? t.data_ptr<float>() : nullptr;
}

void check_shapes(const at::Tensor& x_TE, const Weight& weight_E) {
  check_weight(weight_E, "rms_norm");
  require(x_TE.dim() == 2 && weight_E.value.dim() == 1 && x_TE.size(1) == weight_E.value.size(0),
          "rms_norm", "x ", x_TE.sizes(), " does not fit the weight ", weight_E.value.sizes());
}

bool has_kernel(const at::Tensor& x_TE, const Weight& weight_E) {
  return on_cpu_up_to_fp32(x_TE, weight_E.value) && weight_E.value.is_contiguous() &&
         (!weight_E.trained() ||
          (on_cpu_up_to_fp32(weight_E.gradient) && weight_E.gradient.is_contiguous()));
}

struct Normed {
  at::Tensor sum_TE, y_TE, r_T;  ///< what was normalised, its norm, 1 / root mean square (fp32)
};

// `residual` may be undefined; it and `x` are fp32 where it is not.
Normed norm_on_cpu(const at::Tensor& x, const at::Tensor& residual, const at::Tensor& w,
                   double eps) {
  const at::Tensor x_TE = wide(x), residual_TE = wide(residual), w_E = wide(w);
  const bool adds = residual_TE.defined();
  at::Tensor sum_TE = adds ? at::empty_like(x_TE) : at::Tensor();
  at::Tensor y_TE = at::empty_like(x_TE), r_T = at::empty({x_TE.size(0)}, x_TE.options());
  cpu::rms_norm_forward({x_TE.size(0), x_TE.size(1), x_TE.const_data_ptr<float>(),
                         data_or_null(residual_TE), w_E.const_data_ptr<float>(),
                         static_cast<float>(eps), data_or_null(sum_TE), y_TE.data_ptr<float>(),
                         r_T.data_ptr<float>()});
  return {adds ? sum_TE : x, y_TE.to(x.scalar_type()), r_T};
}

// The gradient of what was normalised; `g_sum_TE` (may be undefined) is added to it.
at::Tensor norm_backward(const Tensors& saved, const at::Tensor& g, const at::Tensor& g_sum,
                         at::Tensor gw_E, bool wants_gx) {
  const at::Tensor x_TE = wide(saved[0]), w_E = wide(saved[1]), &r_T = saved[2];
  const at::Tensor g_TE = wide(g), g_sum_TE = wide(g_sum);
  at::Tensor gx_TE = wants_gx ? at::empty_like(x_TE) : at::Tensor();
  const bool narrow = gw_E.defined() && is_half(gw_E.scalar_type());
  at::Tensor sums_E = narrow ? at::zeros_like(w_E) : gw_E;
  cpu::rms_norm_backward({x_TE.size(0), x_TE.size(1), g_TE.const_data_ptr<float>(),
                          data_or_null(g_sum_TE), x_TE.const_data_ptr<float>(),
                          w_E.const_data_ptr<float>(), r_T.const_data_ptr<float>(),
                          data_or_null(gx_TE), data_or_null(sums_E)});
  if (narrow) gw_E.add_(sums_E);
  return wants_gx ? gx_TE.to(g.scalar_type()) : gx_TE;
}

}  // namespace

at::Tensor rms_norm(const at::Tensor& x_TE, const Weight& weight_E, double eps) {
  check_shapes(x_TE, weight_E);
  if (!has_kernel(x_TE, weight_E)) return portable::rms_norm(x_TE, weight_E, eps);
  const auto forward = [&](Tensors& saved) -> Tensors {
    const Normed out = norm_on_cpu(x_TE, {}, weight_E.value, eps);
    saved = {out.sum_TE, weight_E.value, out.r_T};
    return {out.y_TE};
  };
  const auto backward = [gw_E = weight_E.gradient](const Tensors& saved, const Tensors& g,
                                                   const std::vector<bool>& wanted) -> Tensors {
    if (!g[0].defined()) return {};
    return {norm_backward(saved, g[0], {}, gw_E, wanted[0])};
  };
  return differentiable({x_TE, weight_E.value}, forward, backward).front();
}

AddNorm add_rms_norm(const at::Tensor& x_TE, const at::Tensor& residual_TE, const Weight& weight_E,
                     double eps) {
  check_shapes(x_TE, weight_E);
  require(x_TE.sizes() == residual_TE.sizes(), "add_rms_norm", "x ", x_TE.sizes(),
          " does not fit the residual ", residual_TE.sizes());
  if (is_half(
          x_TE.scalar_type())) {  // the sum is what the next unit reads: rounded before its norm
    const at::Tensor sum_TE = residual_TE + x_TE;
    return {sum_TE, rms_norm(sum_TE, weight_E, eps)};
  }
  if (!has_kernel(x_TE, weight_E) || !on_cpu_up_to_fp32(residual_TE))
    return portable::add_rms_norm(x_TE, residual_TE, weight_E, eps);
  const auto forward = [&](Tensors& saved) -> Tensors {
    const Normed out = norm_on_cpu(x_TE, residual_TE, weight_E.value, eps);
    saved = {out.sum_TE, weight_E.value, out.r_T};
    return {out.sum_TE, out.y_TE};
  };
  const auto backward = [gw_E = weight_E.gradient](const Tensors& saved, const Tensors& g,
                                                   const std::vector<bool>& wanted) -> Tensors {
    if (!g[1].defined()) return {g[0], g[0]};
    const at::Tensor gx_TE = norm_backward(saved, g[1], g[0], gw_E, wanted[0] || wanted[1]);
    return {gx_TE, gx_TE};
  };
  const Tensors out = differentiable({x_TE, residual_TE, weight_E.value}, forward, backward);
  return {out[0], out[1]};
}

namespace portable {

at::Tensor rms_norm(const at::Tensor& x_TE, const Weight& weight_E, double eps) {
  check_shapes(x_TE, weight_E);
  const auto dtype = wide_dtype(x_TE.scalar_type());
  const at::Tensor wide_TE = x_TE.to(dtype);
  const at::Tensor n_TE = wide_TE * at::rsqrt(wide_TE.square().mean(1, /*keepdim=*/true) + eps);
  return tracked(weight_E) * n_TE.to(x_TE.scalar_type());
}

AddNorm add_rms_norm(const at::Tensor& x_TE, const at::Tensor& residual_TE, const Weight& weight_E,
                     double eps) {
  const at::Tensor sum_TE = residual_TE + x_TE;
  return {sum_TE, portable::rms_norm(sum_TE, weight_E, eps)};
}

}  // namespace portable
}  // namespace burnish
