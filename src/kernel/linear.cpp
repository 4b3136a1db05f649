#include "kernel/linear.h"

#include <ATen/ops/addmm.h>

#include "kernel/differentiable.h"
#include "kernel/product.h"

namespace burnish {
namespace {

void check_shapes(const at::Tensor& x_TI, const Weight& weight_OI, const Weight* bias_O) {
  check_weight(weight_OI, "linear");
  const auto weight_shape = weight_OI.value.sizes();
  require(x_TI.dim() == 2 && weight_shape.size() == 2 && x_TI.size(1) == weight_shape[1], "linear",
          "x ", x_TI.sizes(), " does not fit the weight ", weight_shape);
  if (!bias_O) return;
  check_weight(*bias_O, "linear");
  require(bias_O->value.dim() == 1 && bias_O->value.size(0) == weight_shape[0], "linear",
          "the bias ", bias_O->value.sizes(), " does not fit the weight ", weight_shape);
}

at::Tensor multiply(const at::Tensor& x_TI, const at::Tensor& w_OI, const at::Tensor& b_O) {
  if (!b_O.defined()) return product(x_TI, w_OI.t());
  if (!is_half(x_TI.scalar_type())) return at::addmm(b_O, x_TI, w_OI.t());
  return product(x_TI, w_OI.t()).add_(b_O);
}

}  // namespace

at::Tensor linear(const at::Tensor& x_TI, const Weight& weight_OI, const Weight* bias_O) {
  check_shapes(x_TI, weight_OI, bias_O);
  const at::Tensor w_OI = weight_OI.value, gw_OI = weight_OI.gradient;
  const at::Tensor b_O = bias_O ? bias_O->value : at::Tensor();
  const at::Tensor gb_O = bias_O ? bias_O->gradient : at::Tensor();
  const auto forward = [&](Tensors& saved) -> Tensors {
    saved = {gw_OI.defined() ? x_TI : at::Tensor(), w_OI};
    return {multiply(x_TI, w_OI, b_O)};
  };
  const auto backward = [gw_OI, gb_O](const Tensors& saved, const Tensors& gradients,
                                      const std::vector<bool>& wanted) -> Tensors {
    const at::Tensor& g_TO = gradients[0];
    if (!g_TO.defined()) return {};
    if (gw_OI.defined()) add_product(gw_OI, g_TO.t(), saved[0]);
    if (gb_O.defined()) gb_O.add_(g_TO.sum(0, /*keepdim=*/false, gb_O.scalar_type()));
    return {wanted[0] ? product(g_TO, saved[1]) : at::Tensor()};
  };
  Tensors inputs{x_TI, w_OI};
  if (bias_O) inputs.push_back(b_O);
  return differentiable(inputs, forward, backward).front();
}

}  // namespace burnish
