// A model that can be run: declaration, numbers, chain.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "declare/checkpoint_source.h"
#include "hub/source.h"
#include "model/parameters.h"
#include "model/unit.h"

namespace burnish {

struct ModelOptions {
  ParameterDtypes dtypes = {};  ///< activations have that of the values
  int64_t num_positions = 0;    ///< longest segment; 0: the config's max_position_embeddings
  /// Tokens without a row of their own yet, ascending: theirs becomes the mean of the rows before.
  /// The embedding and the head grow where they must.
  std::vector<int32_t> new_token_ids = {};
  std::function<bool(const ParameterDeclaration&)> trained = [](const auto&) { return false; };
};

/// Address-stable: parameters point into the declaration.
struct Model {
  ModelDeclaration declaration;
  std::unique_ptr<CheckpointSource> checkpoint;
  std::unique_ptr<ModelParameters> parameters;
  Chain chain;
};

/// Opens, checks and loads a checkpoint.
std::unique_ptr<Model> load_model(const ModelSource& source, const ModelOptions& options);

}  // namespace burnish
