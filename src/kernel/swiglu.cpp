#include "kernel/swiglu.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/silu.h>

#include "kernel/differentiable.h"
#include "kernel/swiglu_cpu.h"

namespace burnish {

at::Tensor swiglu(const at::Tensor& gate_TI, const at::Tensor& up_TI) {
  require(gate_TI.sizes() == up_TI.sizes(), "swiglu", "gate ", gate_TI.sizes(), " does not fit up ",
          up_TI.sizes());
  if (!on_cpu_up_to_fp32(gate_TI, up_TI)) return portable::swiglu(gate_TI, up_TI);
  const auto forward = [&](Tensors& saved) -> Tensors {
    saved = {gate_TI, up_TI};
    const at::Tensor gate = wide(gate_TI), up = wide(up_TI);
    at::Tensor y_TI = at::empty_like(gate);
    cpu::swiglu_forward(y_TI.numel(), gate.const_data_ptr<float>(), up.const_data_ptr<float>(),
                        y_TI.data_ptr<float>());
    return {y_TI.to(gate_TI.scalar_type())};
  };
  const auto backward = [](const Tensors& saved, const Tensors& gradients,
                           const std::vector<bool>& wanted) -> Tensors {
    if (!gradients[0].defined()) return {};
    const at::Tensor g_TI = wide(gradients[0]), gate_TI = wide(saved[0]), up_TI = wide(saved[1]);
    at::Tensor g_gate_TI = wanted[0] ? at::empty_like(g_TI) : at::Tensor();
    at::Tensor g_up_TI = wanted[1] ? at::empty_like(g_TI) : at::Tensor();
    cpu::swiglu_backward(g_TI.numel(), g_TI.const_data_ptr<float>(),
                         gate_TI.const_data_ptr<float>(), up_TI.const_data_ptr<float>(),
                         wanted[0] ? g_gate_TI.data_ptr<float>() : nullptr,
                         wanted[1] ? g_up_TI.data_ptr<float>() : nullptr);
    const at::ScalarType dtype = gradients[0].scalar_type();
    return {wanted[0] ? g_gate_TI.to(dtype) : g_gate_TI, wanted[1] ? g_up_TI.to(dtype) : g_up_TI};
  };
  return differentiable({gate_TI, up_TI}, forward, backward).front();
}

at::Tensor portable::swiglu(const at::Tensor& gate_TI, const at::Tensor& up_TI) {
  return at::silu(gate_TI) * up_TI;
}

}  // namespace burnish
