// Where a model comes from: a Hugging Face folder, a GGUF file, the folder of a finished run, or
// the hub.
#pragma once

#include <filesystem>
#include <string>

namespace burnish {

struct ModelSource {
  enum class Kind { folder, gguf };
  Kind kind;
  std::filesystem::path path;
  std::string repository = {};  ///< org/name on the hub; empty: of this disk
  std::string commit = {};      ///< of the repository
};

/// Resolves `text` as typed: a folder with config.json, a .gguf file, a run folder (its model/).
/// Where no such path is here, org/name or org/name@revision is a model of the hub: found in the
/// cache or fetched into it (hub/snapshot.h).
/// @param revision  of the hub model; goes before one that stands in `text`
/// @throws Error(io) if nothing is there, or the hub does not give it; Error(model) if the folder
/// is no model (says what is missing; pytorch_model.bin is named with the way to convert it);
/// Error(recipe) for a revision of something that is no hub model.
ModelSource resolve_model(const std::string& text, const std::string& revision = {});

/// The folder that holds a tokenizer: `text` itself if it has a tokenizer.json, else as
/// resolve_model(); of a hub model no weights are fetched.
ModelSource resolve_tokenizer(const std::string& text, const std::string& revision = {});

}  // namespace burnish
