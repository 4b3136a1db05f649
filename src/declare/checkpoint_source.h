// The tensors of a checkpoint by their Hugging Face names, whatever file they stand in.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "declare/model_config.h"

namespace burnish {

/// Where a declared parameter's numbers come from.
class CheckpointSource {
 public:
  virtual ~CheckpointSource() = default;
  /// dtype in which the file holds the tensor (GGUF block formats: f32).
  virtual DType dtype_of(const std::string& name) const = 0;
  /// Writes all elements of the tensor, row-major in the declared shape, as float32.
  virtual void read_f32(const std::string& name, std::span<float> out) const = 0;
  virtual bool has(const std::string& name) const = 0;
  virtual const std::vector<std::string>& warnings() const = 0;
};

/// Opens the weights and holds them against the declaration: every parameter there, of the right
/// shape, nothing unexpected (names to be ignored: reference of the family). Names with and without
/// "model." are accepted. lm_head.weight beside tied_embeddings: equal data is one tensor;
/// different data unties the model (`declaration.config.tied_embeddings` becomes false, a warning
/// says so).
/// @throws Error(model) naming the tensor, and both shapes where they differ.
std::unique_ptr<CheckpointSource> open_checkpoint(const ModelSource& source,
                                                  ModelDeclaration& declaration);

}  // namespace burnish
