// The numbers of a model: one flat buffer of values and one of gradients for each unit of the
// chain, with a leaf for each declared parameter.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
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

struct ParameterDtypes {
  at::ScalarType values = at::kFloat;            ///< kFloat, kDouble, kBFloat16 or kHalf
  std::optional<at::ScalarType> gradients = {};  ///< nullopt: that of the values
  std::optional<at::ScalarType> masters = {};    ///< of what is trained; nullopt: there are none
};

class ModelParameters {
 public:
  /// Allocates uninitialised values, and zeroed gradients for the parameters that `trained` names.
  ModelParameters(const ModelDeclaration& declaration, const ParameterDtypes& dtypes,
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

/// Fills every master and value from the checkpoint, in parallel; of a parameter that has fewer
/// rows there, the first ones.
void load_parameters(const CheckpointSource& checkpoint, ModelParameters& parameters);

/// What a weight is, as exactly as it is kept: its master, or its value where there is none.
const at::Tensor& exact(const Weight& weight);
/// Rounds the master to the value, where there is one.
void round_to_value(const Weight& weight);

/// Rows of the embedding and of an untied head from `first` on become the mean of those before.
void set_new_rows(ModelParameters& parameters, int64_t first);

}  // namespace burnish
