// Parts of the program that are loaded only when they are needed.
#pragma once

#include <filesystem>
#include <string>

namespace burnish {

/// `name` in the folder of the library that this is part of, or else in that of the program.
std::filesystem::path library_beside(const std::string& name);

/// Loads the shared library at `path`, which stays loaded.
/// @param what  names it: "the engine". @throws Error(io) with the loader's reason and `advice`
void* load_library(const std::filesystem::path& path, const std::string& what,
                   const std::string& advice);

/// Loads it and gives the address of its `symbol`; as load_library().
void* load_symbol(const std::filesystem::path& path, const char* symbol, const std::string& what,
                  const std::string& advice);

}  // namespace burnish
