#include "kernel/differentiable.h"

#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace burnish {
namespace {

using torch::autograd::AutogradContext;

struct KeptBackward : torch::CustomClassHolder {
  explicit KeptBackward(Backward call) : call(std::move(call)) {}
  Backward call;
};

struct Recorded : torch::autograd::Function<Recorded> {
  static Tensors forward(AutogradContext* ctx, at::TensorList inputs, const Forward& forward,
                         const c10::intrusive_ptr<KeptBackward>& backward) {
    ctx->set_materialize_grads(false);
    Tensors saved;
    Tensors outputs = forward(saved);
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["backward"] = c10::IValue::make_capsule(backward);
    ctx->saved_data["inputs"] = static_cast<int64_t>(inputs.size());
    return outputs;
  }

  static Tensors backward(AutogradContext* ctx, const Tensors& gradients) {
    std::vector<bool> wanted(ctx->saved_data["inputs"].toInt());
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = ctx->needs_input_grad(i);
    const auto kept = ctx->saved_data["backward"].toCapsule();
    Tensors out =
        static_cast<KeptBackward&>(*kept).call(ctx->get_saved_variables(), gradients, wanted);
    out.resize(wanted.size() + 2);  // the two arguments that are no tensors
    return out;
  }
};

}  // namespace

Tensors differentiable(const Tensors& inputs, const Forward& forward, Backward backward) {
  // as a TensorList: apply() does not look into a vector
  return Recorded::apply(at::TensorList(inputs), forward,
                         c10::make_intrusive<KeptBackward>(std::move(backward)));
}

at::Tensor tracked(const Weight& weight) {
  if (!weight.trained()) return weight.value.detach();
  return differentiable(
             {weight.value}, [&](Tensors&) { return Tensors{weight.value.alias()}; },
             [gradient = weight.gradient](const Tensors&, const Tensors& g, const auto&) {
               if (g[0].defined()) gradient.add_(g[0]);
               return Tensors{};
             })
      .front();
}

void check_weight(const Weight& weight, const char* operation) {
  require(weight.value.defined(), operation, "the weight is undefined");
  if (!weight.trained()) return;
  require(weight.gradient.sizes() == weight.value.sizes(), operation,
          "the gradient buffer has the shape ", weight.gradient.sizes(), ", its weight ",
          weight.value.sizes());
  require(weight.value.requires_grad(), operation,
          "the weight has a gradient buffer but does not require a gradient");
}

}  // namespace burnish
