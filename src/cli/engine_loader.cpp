// open_engine(): libburnish_engine.so beside the executable.
#include <filesystem>

#include "base/error.h"
#include "base/shared_library.h"
#include "engine_door.h"

namespace burnish {
namespace {

std::filesystem::path library_path() {
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(ErrorCode::io, "cannot tell where the program is: " + error.message(),
                "/proc/self/exe");
  return executable.parent_path() / "libburnish_engine.so";
}

Engine* load_engine() {
  const std::filesystem::path path = library_path();
  if (!std::filesystem::exists(path))
    throw Error(ErrorCode::io, "the engine is not there", path.string(),
                "build the target burnish_engine");
  void* symbol = load_symbol(path, "burnish_engine", "the engine",
                             "build it again; libtorch must be where it was then");
  return reinterpret_cast<Engine* (*)()>(symbol)();
}

}  // namespace

Engine& open_engine() {
  static Engine& engine = *load_engine();
  return engine;
}

}  // namespace burnish
