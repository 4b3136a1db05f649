// Tokenizer and template of a run: the model's own, changed as the recipe's `model` group says.
#pragma once

#include "recipe/recipe.h"
#include "text/load.h"

namespace burnish {

struct RunText {
  TextFiles files;
  /// Control tokens that the model has no row for yet, or only an unused one, ascending.
  std::vector<int32_t> new_ids;
  std::optional<int32_t> new_eos_id;  ///< where the recipe or its template sets one
};

/// `model.template` (a name or a file), `model.add_tokens` and `model.eos_token` over what `text`
/// holds. @throws Error(recipe) for an `eos_token` that is no token, Error(io) and Error(model) for
/// a template that cannot be read.
RunText run_text(const ModelRecipe& model, TextFiles text);

}  // namespace burnish
