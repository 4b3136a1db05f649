// Where a model comes from: a Hugging Face folder, a GGUF file, or the folder of a finished run.
#pragma once

#include <filesystem>
#include <string>

namespace burnish {

struct ModelSource {
  enum class Kind { folder, gguf };
  Kind kind;
  std::filesystem::path path;
};

/// Resolves `text` as typed: a folder with config.json, a .gguf file, a run folder (its model/).
/// @throws Error(io) if nothing is there; Error(model) if the folder is no model (says what is
/// missing; pytorch_model.bin is named with the way to convert it); Error(unsupported) for
/// org/name of the hub, with what to do instead.
ModelSource resolve_model(const std::string& text);

}  // namespace burnish
