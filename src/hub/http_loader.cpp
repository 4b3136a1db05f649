// open_http(): libburnish_http.so beside the library that this is part of, or beside the program.
#include <dlfcn.h>

#include <filesystem>

#include "base/shared_library.h"
#include "http_door.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

fs::path library_path() {
  constexpr const char* kName = "libburnish_http.so";
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / kName;
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void*>(&open_http), &here) == 0) return program;
  const fs::path beside = fs::path(here.dli_fname).parent_path() / kName;
  return fs::exists(beside, error) ? fs::absolute(beside, error) : program;
}

Http* load_http() {
  void* symbol = load_symbol(library_path(), "burnish_http", "the network part",
                             "Build the target burnish_http; libcurl must be installed");
  return reinterpret_cast<Http* (*)()>(symbol)();
}

}  // namespace

Http& open_http() {
  static Http& http = *load_http();
  return http;
}

}  // namespace burnish
