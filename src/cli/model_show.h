#pragma once

#include <string>

namespace burnish {

struct ShowOptions {
  bool json = false;
  bool stored = false;  ///< tensors as in the file, also where the family is known
  bool hash = false;    ///< SHA-256 of each tensor's float32 values
};

/// Prints what `model` is; without libtorch.
void show_model(const std::string& model, const ShowOptions& options);

}  // namespace burnish
