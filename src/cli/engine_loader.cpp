// open_engine(): libburnish_engine.so beside the executable, with its libtorch.
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/shared_library.h"
#include "engine_door.h"

namespace burnish {
namespace {

// The libtorch in BURNISH_LIBTORCH, where that is set: the engine then takes the one that is
// loaded.
void preload_libtorch() {
  const char* folder = std::getenv("BURNISH_LIBTORCH");
  if (folder == nullptr || *folder == 0) return;
  load_library(std::filesystem::path(folder) / "lib" / "libtorch.so", "libtorch",
               "Let BURNISH_LIBTORCH name the folder that holds libtorch's include/ and lib/");
}

Engine* load_engine() {
  const std::filesystem::path path = library_beside("libburnish_engine.so");
  if (!std::filesystem::exists(path))
    throw Error(ErrorCode::io, "the engine is not there", path.string(),
                "Build the target burnish_engine, or install the package again");
  preload_libtorch();
  void* symbol = load_symbol(
      path, "burnish_engine", "the engine",
      "Build it again, or let BURNISH_LIBTORCH name the libtorch that it was built with");
  return reinterpret_cast<Engine* (*)()>(symbol)();
}

}  // namespace

Engine& open_engine() {
  static Engine& engine = *load_engine();
  return engine;
}

}  // namespace burnish
