// What this program was compiled with.
#pragma once

#include <map>
#include <string>

namespace burnish {

/// Name to version: burnish itself, the kind of build, the compiler, every library.
std::map<std::string, std::string> built_with();

/// The same for `burnish --version`: "burnish 0.1.0", then a line for each of the others.
std::string built_with_text();

}  // namespace burnish
