#include "train/tiny_run_helper.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include <fstream>

#include "measure/process.h"
#include "tiny_model.h"
#include "train/trainer.h"

namespace burnish::testing_tools {
namespace fs = std::filesystem;

fs::path case_folder(const std::string& name) {
  for (const auto& entry : fs::directory_iterator(fs::path(BURNISH_TEST_DATA) / "cases"))
    if (entry.path().filename().string().starts_with(name)) return entry.path();
  throw std::runtime_error("no case " + name);
}

nlohmann::json expected_of(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(case_folder(name) / "expected.json"));
}

fs::path fresh_folder(const std::string& name) {
  static int number = 0;
  const fs::path folder =
      fs::path(::testing::TempDir()) /
      ("burnish_" + name + "_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

fs::path tiny_llama() {
  static const fs::path folder = make_tiny_llama(fresh_folder("tiny_llama"));
  return folder;
}

TrainRequest tiny_request(const fs::path& data, const std::vector<std::string>& settings,
                          const fs::path& output) {
  std::vector<RecipeOverride> overrides{
      {"model.source", tiny_llama().string()},
      {"data.train", "[" + data.string() + "]"},
      {"data.sequence_length", "128"},
      {"data.packing", "none"},
      {"data.shuffle", "null"},
      {"train.end", "{steps: 1}"},
      {"train.global_batch_rows", "4"},
      {"optimizer.clip_norm", "null"},
      {"optimizer.betas", "[0.9, 0.999]"},
      {"optimizer.schedule", "{name: constant}"},
      {"output", output.string()},
  };
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  const LoadedRecipe loaded = parse_recipe("schema_version: 1\n", "test recipe", overrides);
  TrainRequest request;
  request.recipe = loaded.recipe;
  request.quiet = true;
  request.process_start_s = process_start_s();
  return request;
}

TinyRun train_tiny(const fs::path& data, const std::vector<std::string>& settings) {
  const fs::path output = fresh_folder("run");
  return {train(tiny_request(data, settings, output)), output};
}

}  // namespace burnish::testing_tools
