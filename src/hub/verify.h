// Whether the cache still holds what its names say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hub/names.h"

namespace burnish {

struct Verification {
  struct Broken {
    std::filesystem::path file;
    std::string what;
  };
  std::vector<Broken> broken;
  int64_t files = 0;
  uint64_t bytes = 0;
  int64_t unfinished = 0;  ///< downloads that were stopped: no fault
  int64_t unknown = 0;     ///< blobs whose name is no hash: of other tools, not looked at
};

/// Hashes every blob of a repository against its name, and looks whether each snapshot's links
/// lead to the blobs that the hub listed. Uses no network.
/// @param on_file  before each blob. @throws Error(interrupted) once `go_on` is false
Verification verify_repository(const std::filesystem::path& cache, const Repository& repository,
                               const std::function<void(const std::filesystem::path&)>& on_file,
                               const std::function<bool()>& go_on);

}  // namespace burnish
