#include "train/glob.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/error.h"

namespace burnish {

bool glob_matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

void check_patterns(const std::vector<std::string>& patterns, const ModelDeclaration& declaration,
                    const std::string& key) {
  for (const std::string& pattern : patterns) {
    const bool matches = std::any_of(
        declaration.parameters.begin(), declaration.parameters.end(),
        [&](const ParameterDeclaration& declared) { return glob_matches(pattern, declared.name); });
    if (matches) continue;
    const auto& parameters = declaration.parameters;
    throw Error(ErrorCode::recipe, "the pattern '" + pattern + "' matches no parameter", key,
                "Names look like " + parameters.front().name + ", " +
                    parameters[parameters.size() / 2].name + ", " + parameters.back().name);
  }
}

}  // namespace burnish
