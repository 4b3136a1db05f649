// Which files of a repository are wanted.
#pragma once

#include <string>
#include <vector>

#include "hub/names.h"
#include "hub/remote_file.h"

namespace burnish {

enum class Wanted {
  model,       ///< config, generation config, tokenizer, template, safetensors weights
  text,        ///< the same without weights: what a tokenizer and a template are read from
  everything,  ///< data sets
};

/// @param include  shell patterns over whole paths (`*` crosses folders), in place of `wanted`
/// @throws Error(model) where nothing is left, with what the repository has in its place (a pickle,
/// a GGUF file), and for a pattern that matches nothing
std::vector<RemoteFile> select_files(const std::vector<RemoteFile>& files, Wanted wanted,
                                     const std::vector<std::string>& include,
                                     const Repository& repository);

}  // namespace burnish
