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
  /// As the file says; of a parameter that grows, the rows that it has there.
  virtual const std::vector<int64_t>& shape_of(const std::string& name) const = 0;
  /// dtype in which the file holds the tensor (GGUF block formats: f32).
  virtual DType dtype_of(const std::string& name) const = 0;
  /// What the file calls the type: "BF16", "Q4_K".
  virtual const std::string& stored_type(const std::string& name) const = 0;
  /// Writes all elements of the tensor, row-major in the declared shape, as float32.
  virtual void read_f32(const std::string& name, std::span<float> out) const = 0;
  virtual bool has(const std::string& name) const = 0;
  /// The tensor as it stands in the file, row-major in the declared shape, in dtype_of(name);
  /// nothing where the file holds it otherwise (GGUF blocks, permuted rows). With it, a tensor that
  /// was not trained is saved bit by bit. Lives as long as the source.
  virtual std::optional<std::span<const std::byte>> stored_bytes(const std::string& name) const = 0;
  /// Lets the mapped pages of the tensor leave memory; reading it again maps them again.
  virtual void release(const std::string& name) const = 0;
  virtual const std::vector<std::string>& warnings() const = 0;
};

/// Opens the weights and holds them against the declaration: every parameter there, of the right
/// shape, in a floating-point dtype. Names with and without "model." are accepted; tensors that are
/// no part of the model are left out with a warning (*.rotary_emb.inv_freq of old files without
/// one). lm_head.weight beside tied_embeddings: equal data is one tensor, and may stand there
/// instead of the embedding; different data unties the model (`declaration` is declared anew,
/// config.tied_embeddings and its source_json say false, a warning says so).
/// @throws Error(model) naming the tensor, and both shapes where they differ.
std::unique_ptr<CheckpointSource> open_checkpoint(const ModelSource& source,
                                                  ModelDeclaration& declaration);

}  // namespace burnish
