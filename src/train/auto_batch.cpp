#include "train/auto_batch.h"

#include <algorithm>

#include "base/readable.h"
#include "data/row_stream.h"
#include "measure/process.h"
#include "train/precision.h"

namespace burnish {
namespace {

// An estimate, beside programs that want memory too.
constexpr double kShareOfFreeMemory = 0.8;

int64_t element_bytes(const at::Tensor& t) {
  return static_cast<int64_t>(c10::elementSize(t.scalar_type()));
}

// Gradients and moments are allocated when training begins, and take memory when they are written.
double unwritten_bytes(const ModelParameters& parameters, const PrecisionRecipe& precision) {
  const auto moments =
      2 * static_cast<int64_t>(c10::elementSize(scalar_type_of(precision.moments)));
  double bytes = 0;
  for (const Weight& weight : parameters.all())
    if (weight.gradient.defined())
      bytes +=
          static_cast<double>(weight.value.numel() * (element_bytes(weight.gradient) + moments));
  return bytes;
}

}  // namespace

bool is_auto_batch(const TrainRecipe& train) {
  return !train.micro_batch_rows && !train.max_tokens_per_rank;
}

AutoBatch auto_batch(const PassMemory& pass, double free_bytes, int64_t row_tokens) {
  const int64_t most = BatchOptions().shared_tokens;
  if (free_bytes <= 0) return {most, {}};
  const double fit = (kShareOfFreeMemory * free_bytes - pass.fixed_bytes) / pass.bytes_per_token;
  AutoBatch batch;
  batch.shared_tokens = static_cast<int64_t>(std::clamp(fit, 1.0, static_cast<double>(most)));
  if (fit < static_cast<double>(row_tokens))
    batch.warning = "a pass over a row of " + std::to_string(row_tokens) + " tokens needs about " +
                    size_text(static_cast<uint64_t>(pass.bytes(row_tokens))) + " of memory, " +
                    size_text(static_cast<uint64_t>(free_bytes)) +
                    " are free: if it runs out, set memory.recompute: unit or lower "
                    "data.sequence_length";
  return batch;
}

AutoBatch auto_batch(const Model& model, const Recipe& recipe) {
  const ModelParameters& parameters = *model.parameters;
  const PassOptions options{element_bytes(parameters.all().front().value),
                            recipe.memory.recompute == "unit", parameters.lowest_trained_unit()};
  const double available = read_machine().memory_available_mib * 1048576;
  const double free =
      available > 0 ? std::max(available - unwritten_bytes(parameters, recipe.precision), 1.0) : 0;
  return auto_batch(pass_memory(model.declaration, options), free, recipe.data.sequence_length);
}

}  // namespace burnish
