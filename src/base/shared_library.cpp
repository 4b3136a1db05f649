#include "base/shared_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace burnish {

void* load_symbol(const std::filesystem::path& path, const char* symbol, const std::string& what,
                  const std::string& advice) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* address = library == nullptr ? nullptr : ::dlsym(library, symbol);
  if (address != nullptr) return address;
  const char* reason = ::dlerror();
  throw Error(ErrorCode::io,
              what + " cannot be loaded: " + (reason != nullptr ? reason : "no reason given"),
              path.string(), advice);
}

}  // namespace burnish
