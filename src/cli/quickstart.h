// What `burnish quickstart` works on: a real model and real conversations out of two packages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace burnish {

struct QuickstartInputs {
  std::filesystem::path model;          ///< SmolLM2-135M-Instruct as GGUF
  std::filesystem::path conversations;  ///< the English files of chatterbot-corpus
};

/// The packages in the private environment of the `burnish` script.
/// @throws Error(io) where they are not there.
QuickstartInputs find_quickstart_inputs();

struct QuickstartData {
  std::filesystem::path train, held_out;
  size_t num_train = 0, num_held_out = 0;
  std::vector<std::string> prompts;  ///< first messages of three held-out conversations
};

/// Converts and splits the conversations into `folder`.
QuickstartData make_quickstart_data(const std::filesystem::path& conversations,
                                    const std::filesystem::path& folder);

/// The recipe as a user would write it, commented.
std::string quickstart_recipe(const QuickstartInputs& inputs, const QuickstartData& data,
                              const std::filesystem::path& output);

}  // namespace burnish
