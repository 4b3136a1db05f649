// Parts of the program that are loaded only when they are needed.
#pragma once

#include <filesystem>
#include <string>

namespace burnish {

/// The address of `symbol` in the shared library at `path`, which stays loaded.
/// @param what  names the part: "the engine"
/// @throws Error(io) with the loader's reason and `advice`
void* load_symbol(const std::filesystem::path& path, const char* symbol, const std::string& what,
                  const std::string& advice);

}  // namespace burnish
