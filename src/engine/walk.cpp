// T tokens, E embedding, V vocabulary.
#include "engine/walk.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/autograd/autograd.h>

namespace burnish {
namespace {

at::Tensor tensor_of(const std::vector<int32_t>& ids) {
  return at::from_blob(const_cast<int32_t*>(ids.data()), {static_cast<int64_t>(ids.size())},
                       at::kInt)
      .to(at::kLong);
}

// What a unit's backward needs: its input as a leaf, and either its graph or nothing (recompute).
struct Boundary {
  at::Tensor x;
  UnitOutput output;
};

class Walk {
 public:
  Walk(const Model& model, const Batch& batch, double loss_scale)
      : model_(model), last_(static_cast<int>(model.chain.size()) - 1) {
    input_.ids_T = tensor_of(batch.ids);
    input_.segments = &batch.segments;
    input_.labels = batch.labels;
    input_.loss_scale = loss_scale;
  }

  UnitOutput run(int unit, const at::Tensor& x) {
    input_.x_TE = x;
    Context context;
    return model_.chain[unit]->forward(model_.parameters->unit(unit), input_, context);
  }

  // Units below the lowest trained one get no graph; with Recompute::unit only the head does.
  void forward(Recompute recompute) {
    const int lowest = model_.parameters->lowest_trained_unit();
    boundaries_.resize(last_ + 1);
    at::Tensor x;
    for (int unit = 0; unit <= last_; ++unit) {
      const bool trains = unit >= lowest;
      const bool keeps_graph = trains && (recompute == Recompute::none || unit == last_);
      at::AutoGradMode mode(keeps_graph);
      Boundary& boundary = boundaries_[unit];
      if (trains && x.defined()) boundary.x = leaf(x, unit > lowest);
      boundary.output = run(unit, boundary.x.defined() ? boundary.x : x);
      x = boundary.output.x;
      if (unit < last_ && !keeps_graph) boundary.output = {};
    }
  }

  void backward() {
    const int lowest = model_.parameters->lowest_trained_unit();
    at::Tensor gradient;  // of the unit's output; undefined: 1, for the loss
    for (int unit = last_; unit >= lowest; --unit) {
      Boundary boundary = std::move(boundaries_[unit]);
      if (!boundary.output.x.defined()) {
        at::AutoGradMode mode(true);
        boundary.output = run(unit, boundary.x);
      }
      torch::autograd::backward({boundary.output.x}, {gradient});
      gradient = boundary.x.defined() ? boundary.x.grad() : at::Tensor();
    }
  }

  const UnitOutput& head() const { return boundaries_[last_].output; }

 private:
  static at::Tensor leaf(const at::Tensor& x, bool needs_gradient) {
    return x.detach().set_requires_grad(needs_gradient);
  }

  const Model& model_;
  const int last_;
  UnitInput input_;
  std::vector<Boundary> boundaries_;
};

WalkResult result_of(const UnitOutput& head) {
  return {head.x.item<double>(), head.targets, head.correct};
}

}  // namespace

WalkResult forward_backward(const Model& model, const Batch& batch, double loss_scale,
                            Recompute recompute) {
  Walk walk(model, batch, loss_scale);
  walk.forward(recompute);
  const WalkResult result = result_of(walk.head());
  // without a target there is no gradient; without a trained parameter nobody asks for one
  if (result.targets > 0 && model.parameters->lowest_trained_unit() < model.declaration.num_units())
    walk.backward();
  return result;
}

WalkResult forward_loss(const Model& model, const Batch& batch, double loss_scale) {
  at::NoGradGuard no_grad;
  Walk walk(model, batch, loss_scale);
  at::Tensor x;
  UnitOutput output;
  for (int unit = 0; unit < model.declaration.num_units(); ++unit) {
    output = walk.run(unit, x);
    x = output.x;
  }
  return result_of(output);
}

at::Tensor forward_logits(const Model& model, const at::Tensor& ids_T, const Segments& segments,
                          std::vector<LayerCache>* caches, bool last_only) {
  at::NoGradGuard no_grad;
  UnitInput input;
  input.ids_T = ids_T;
  input.segments = &segments;
  Context context{caches, true};
  const int last = model.declaration.num_units() - 1;
  for (int unit = 0; unit <= last; ++unit) {
    if (unit == last && last_only) input.x_TE = input.x_TE.narrow(0, ids_T.size(0) - 1, 1);
    input.x_TE = model.chain[unit]->forward(model.parameters->unit(unit), input, context).x;
  }
  return input.x_TE;
}

}  // namespace burnish
