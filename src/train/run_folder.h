// The folder of a run: what stands where, and who may write there.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "recipe/recipe.h"

namespace burnish {

class RunFolder {
 public:
  /// A new run needs an empty or missing folder; a resumed one a folder with recipe.yaml. Held by
  /// one process at a time (a lock that ends with the process).
  /// @throws Error(io): another run's folder, a run in progress, no run to resume, no permission.
  static RunFolder open(const std::filesystem::path& path, bool resume);
  /// The checks of open() that need no lock: for refusing early.
  static void check(const std::filesystem::path& path, bool resume);
  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;

  std::filesystem::path recipe() const { return path_ / "recipe.yaml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path best() const { return path_ / "best"; }
  std::filesystem::path model() const { return path_ / "model"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  std::filesystem::path environment() const { return path_ / "environment.json"; }
  std::filesystem::path failure() const { return path_ / "failure.json"; }
  std::filesystem::path tensorboard() const { return path_ / "tensorboard"; }
  const std::filesystem::path& path() const { return path_; }

  /// failure.json: code, what, where, advice, step, time. Never throws.
  void record_failure(const Error& error, int64_t step) const noexcept;

 private:
  RunFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_ = -1;
};

/// What may differ between a run and its resumption: returns the changed keys that are allowed.
/// @throws Error(recipe) listing those that are not.
std::vector<RecipeDifference> check_resumable(const Recipe& before, const Recipe& now);

}  // namespace burnish
