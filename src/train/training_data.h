// The data part of a recipe, read, rendered, cut and packed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/row_stream.h"
#include "recipe/recipe.h"
#include "text/load.h"

namespace burnish {

struct EvaluationSet {
  std::string name;
  StepBatches batches;
  std::string sha256;
};

struct TrainingData {
  RowStream stream;
  std::vector<EvaluationSet> evaluation;
  DataCounts counts;
  std::string sha256;  ///< of the training files
};

/// @param date what strftime_now sees, YYYY-MM-DD
TrainingData load_training_data(const Recipe& recipe, const TextFiles& text);

BatchOptions batch_options(const Recipe& recipe);

}  // namespace burnish
