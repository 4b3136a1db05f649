#include "train/precision.h"

#include "base/error.h"

namespace burnish {

at::ScalarType scalar_type_of(const std::string& word) {
  if (word == "fp32") return at::kFloat;
  if (word == "fp64") return at::kDouble;
  if (word == "bf16") return at::kBFloat16;
  if (word == "fp16") return at::kHalf;
  throw Error(ErrorCode::internal, "no number format is called " + word);
}

ParameterDtypes parameter_dtypes(const PrecisionRecipe& precision) {
  ParameterDtypes dtypes{
      scalar_type_of(precision.weights), scalar_type_of(precision.gradients), {}};
  if (precision.master != precision.weights) dtypes.masters = scalar_type_of(precision.master);
  return dtypes;
}

}  // namespace burnish
