#include "base/shared_library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace burnish {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what,
                         const std::string& advice) {
  const char* reason = ::dlerror();
  throw Error(ErrorCode::io,
              what + " cannot be loaded: " + (reason != nullptr ? reason : "no reason given"),
              path.string(), advice);
}

}  // namespace

std::filesystem::path library_beside(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void*>(&library_beside), &here) == 0) return program;
  const fs::path beside = fs::path(here.dli_fname).parent_path() / name;
  return fs::exists(beside, error) ? fs::absolute(beside, error) : program;
}

void* load_library(const std::filesystem::path& path, const std::string& what,
                   const std::string& advice) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(path, what, advice);
  return library;
}

void* load_symbol(const std::filesystem::path& path, const char* symbol, const std::string& what,
                  const std::string& advice) {
  void* address = ::dlsym(load_library(path, what, advice), symbol);
  if (address == nullptr) refuse(path, what, advice);
  return address;
}

}  // namespace burnish
