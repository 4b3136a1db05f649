// The tensors of a weight file before they are held against a declaration.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "declare/model_config.h"

namespace burnish {

struct FoundTensor {
  std::vector<int64_t> shape;
  DType dtype;                                 ///< f32 for GGUF block formats
  std::string type;                            ///< as the file calls it: "BF16", "Q4_K"
  std::function<void(std::span<float>)> read;  ///< all elements, row-major
  const MappedFile* file;                      ///< owned by FoundTensors::owner
  std::span<const std::byte> bytes;            ///< its place in the file
  bool plain = true;                           ///< `bytes` are the elements in row-major order
  int64_t num_elements() const;
  bool holds_weights() const;  ///< of a floating-point kind
};

struct FoundTensors {
  std::shared_ptr<const void> owner;  ///< the open files
  std::map<std::string, FoundTensor> tensors;
  std::vector<std::string> warnings;
};

/// safetensors of a Hugging Face folder, names as they stand there.
FoundTensors found_in_folder(const std::filesystem::path& folder);

/// A GGUF file, by Hugging Face names: blk.N.attn_q.weight is
/// model.layers.N.self_attn.q_proj.weight with its rows back in the order of transformers. Names
/// that have no counterpart are kept.
FoundTensors found_in_gguf(const std::filesystem::path& path, const ModelConfig& config);

/// A GGUF file of any architecture: names and rows as they stand there.
FoundTensors stored_in_gguf(const std::filesystem::path& path);

}  // namespace burnish
