// The recipe's words for number formats, as libtorch's.
#pragma once

#include <c10/core/ScalarType.h>

#include <string>

#include "model/parameters.h"
#include "recipe/recipe.h"

namespace burnish {

/// "fp32", "fp64", "bf16" or "fp16". @throws Error(internal) for another word.
at::ScalarType scalar_type_of(const std::string& word);

ParameterDtypes parameter_dtypes(const PrecisionRecipe& precision);

}  // namespace burnish
