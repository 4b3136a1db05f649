// A run of the tiny llama of tests/data/cases on a case's data.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine_door.h"

namespace burnish::testing_tools {

/// tests/data/cases/NAME
std::filesystem::path case_folder(const std::string& name);
nlohmann::json expected_of(const std::string& name);

/// A fresh folder below the temporary one.
std::filesystem::path fresh_folder(const std::string& name);

/// tiny-llama with tok-bpe as a Hugging Face folder.
std::filesystem::path tiny_llama();

/// Trains tiny-llama on DATA with these overrides ("optimizer.learning_rate=0.01"); constant
/// schedule, no warm-up, no shuffling, no clipping, packing none, unless they say otherwise.
struct TinyRun {
  TrainSummary summary;
  std::filesystem::path folder;
};
TinyRun train_tiny(const std::filesystem::path& data, const std::vector<std::string>& settings);
TrainRequest tiny_request(const std::filesystem::path& data,
                          const std::vector<std::string>& settings,
                          const std::filesystem::path& output);

}  // namespace burnish::testing_tools
