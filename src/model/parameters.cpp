#include "model/parameters.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "kernel/check.h"
#include "kernel/tasks.h"

namespace burnish {

const Weight* UnitParameters::find(const std::string& key) const {
  const auto found = weights_.find(key);
  return found == weights_.end() ? nullptr : &found->second;
}

const Weight& UnitParameters::at(const std::string& key) const {
  const Weight* weight = find(key);
  if (weight == nullptr) throw Error(ErrorCode::internal, "this unit has no parameter " + key);
  return *weight;
}

namespace {

// A leaf with a version counter of its own: writing into one view (or into the flat buffer) does
// not invalidate what autograd saved of another.
at::Tensor leaf_of(const at::Tensor& flat, int64_t offset, const ParameterDeclaration& declared) {
  return flat.narrow(0, offset, declared.num_elements()).view(declared.shape).variable_data();
}

}  // namespace

ModelParameters::ModelParameters(const ModelDeclaration& declaration, const ParameterDtypes& dtypes,
                                 const std::function<bool(const ParameterDeclaration&)>& trained)
    : declaration_(&declaration),
      units_(declaration.num_units()),
      weights_(declaration.parameters.size()),
      lowest_trained_unit_(declaration.num_units()) {
  at::NoGradGuard no_grad;
  for (int unit = 0; unit < declaration.num_units(); ++unit) {
    int64_t num_values = 0, num_gradients = 0;
    for (const ParameterDeclaration& declared : declaration.parameters) {
      if (declared.unit != unit) continue;
      num_values += declared.num_elements();
      if (trained(declared)) num_gradients += declared.num_elements();
    }
    const at::Tensor values = at::empty({num_values}, dtypes.values);
    at::Tensor gradients, masters;
    if (num_gradients > 0) {
      gradients = at::zeros({num_gradients}, dtypes.gradients.value_or(dtypes.values));
      if (dtypes.masters) masters = at::empty({num_gradients}, *dtypes.masters);
    }
    int64_t value_offset = 0, gradient_offset = 0;
    for (size_t i = 0; i < declaration.parameters.size(); ++i) {
      const ParameterDeclaration& declared = declaration.parameters[i];
      if (declared.unit != unit) continue;
      Weight weight{leaf_of(values, value_offset, declared), {}};
      if (trained(declared)) {
        weight.value.set_requires_grad(true);
        weight.gradient = leaf_of(gradients, gradient_offset, declared);
        if (masters.defined()) weight.master = leaf_of(masters, gradient_offset, declared);
        gradient_offset += declared.num_elements();
        lowest_trained_unit_ = std::min(lowest_trained_unit_, unit);
      }
      value_offset += declared.num_elements();
      weights_[i] = weight;
      units_[unit].put(declared.key, weight);
    }
    flat_gradients_.push_back(gradients);
  }
  if (declaration.config.tied_embeddings)
    units_.back().put("lm_head.weight", units_.front().at("embed_tokens.weight"));
}

int64_t ModelParameters::num_trained() const {
  int64_t count = 0;
  for (const Weight& weight : weights_)
    if (weight.trained()) count += weight.value.numel();
  return count;
}

void ModelParameters::zero_gradients() {
  at::NoGradGuard no_grad;
  for (const at::Tensor& gradients : flat_gradients_)
    if (gradients.defined()) gradients.zero_();
}

const at::Tensor& exact(const Weight& weight) {
  return weight.master.defined() ? weight.master : weight.value;
}

void round_to_value(const Weight& weight) {
  at::NoGradGuard no_grad;
  if (weight.master.defined()) weight.value.copy_(weight.master);
}

namespace {

// `into` has the tensor's shape in the checkpoint.
void read(const CheckpointSource& checkpoint, const std::string& name, const at::Tensor& into,
          std::vector<float>& wide) {
  const auto n = static_cast<size_t>(into.numel());
  if (into.scalar_type() == at::kFloat) {
    checkpoint.read_f32(name, {into.mutable_data_ptr<float>(), n});
  } else if (into.scalar_type() == at::kDouble && checkpoint.dtype_of(name) == DType::f64) {
    const auto bytes = checkpoint.stored_bytes(name).value();
    std::memcpy(into.mutable_data_ptr<double>(), bytes.data(), bytes.size());
  } else {
    wide.resize(n);
    checkpoint.read_f32(name, wide);
    into.copy_(at::from_blob(wide.data(), into.sizes(), at::kFloat));
  }
  checkpoint.release(name);
}

}  // namespace

void load_parameters(const CheckpointSource& checkpoint, ModelParameters& parameters) {
  const auto& declared = parameters.declaration().parameters;
  cpu::for_ranges(static_cast<int64_t>(declared.size()), 1, [&](int64_t begin, int64_t end) {
    at::NoGradGuard no_grad;  // of this thread
    std::vector<float> wide;
    for (int64_t i = begin; i < end; ++i) {
      const std::string& name = declared[i].name;
      const Weight& weight = parameters.all()[i];
      read(checkpoint, name, exact(weight).narrow(0, 0, checkpoint.shape_of(name).front()), wide);
      round_to_value(weight);
    }
  });
}

void set_new_rows(ModelParameters& parameters, int64_t first) {
  at::NoGradGuard no_grad;
  const auto& declared = parameters.declaration().parameters;
  for (size_t i = 0; i < declared.size(); ++i) {
    const ParameterRole role = declared[i].role;
    if (role != ParameterRole::embedding && role != ParameterRole::head) continue;
    const at::Tensor weight = exact(parameters.all()[i]);
    const at::Tensor old = weight.narrow(0, 0, first);
    const auto dtype = wide_dtype(old.scalar_type());
    weight.narrow(0, first, weight.size(0) - first).copy_(old.mean(0, /*keepdim=*/true, dtype));
    round_to_value(parameters.all()[i]);
  }
}

}  // namespace burnish
