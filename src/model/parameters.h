// The numbers of a model: one flat buffer of values and one of gradients for each unit of the
// chain, with a leaf for each declared parameter.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "declare/checkpoint_source.h"
#include "declare/model_config.h"
#include "kernel/weight.h"

namespace burnish {

/// The parameters of one unit, by their names inside the unit ("self_attn.q_proj.weight").
class UnitParameters {
 public:
  /// @throws Error(internal) for a name that the unit's declarations do not hold.
  const Weight& at(const std::string& key) const;
  /// nullptr if there is none: biases that a checkpoint may lack.
  const Weight* find(const std::string& key) const;
  void put(const std::string& key, Weight weight) { weights_[key] = std::move(weight); }

 private:
  std::unordered_map<std::string, Weight> weights_;
};

class ModelParameters {
 public:
  /// Allocates uninitialised values, and zeroed gradients for the parameters that `trained` names.
  /// @param dtype kFloat or kDouble, of values and gradients alike.
  ModelParameters(const ModelDeclaration& declaration, at::ScalarType dtype,
                  const std::function<bool(const ParameterDeclaration&)>& trained);

  const UnitParameters& unit(int index) const { return units_[index]; }
  /// One a declaration, in the declaration's order.
  const std::vector<Weight>& all() const { return weights_; }
  const ModelDeclaration& declaration() const { return *declaration_; }

  /// The smallest unit that holds a trained parameter (a tied head counts as the embedding's unit);
  /// the number of units if nothing is trained.
  int lowest_trained_unit() const { return lowest_trained_unit_; }
  int64_t num_trained() const;

  void zero_gradients();

 private:
  const ModelDeclaration* declaration_;
  std::vector<UnitParameters> units_;
  std::vector<Weight> weights_;
  std::vector<at::Tensor> flat_gradients_;  ///< one a unit; undefined where it trains nothing
  int lowest_trained_unit_;
};

/// Fills every value from the checkpoint, in parallel.
void load_parameters(const CheckpointSource& checkpoint, ModelParameters& parameters);

}  // namespace burnish
