// train.micro_batch_rows: auto. Short rows share a pass as far as memory and speed go.
#pragma once

#include <cstdint>
#include <string>

#include "declare/pass_memory.h"
#include "engine/model.h"
#include "recipe/recipe.h"

namespace burnish {

/// Whether the recipe leaves the cut of a step to the program.
bool is_auto_batch(const TrainRecipe& train);

struct AutoBatch {
  int64_t shared_tokens = 0;  ///< BatchOptions::shared_tokens
  std::string warning;        ///< where a single row may be too long; empty: none
};

/// @param free_bytes  for passes; 0 or less: unknown
/// @param row_tokens  of the longest row
AutoBatch auto_batch(const PassMemory& pass, double free_bytes, int64_t row_tokens);

/// The same for a model that is loaded and a recipe. What the optimizer will fill at its first
/// update is taken off the memory that is free.
AutoBatch auto_batch(const Model& model, const Recipe& recipe);

}  // namespace burnish
