// Glob patterns over parameter names: `*` any run of characters, `?` one.
#pragma once

#include <string>
#include <vector>

#include "declare/model_config.h"

namespace burnish {

bool glob_matches(const std::string& pattern, const std::string& name);

/// @throws Error(recipe) naming `key` and the pattern, with examples of real names, if a pattern
/// matches no parameter.
void check_patterns(const std::vector<std::string>& patterns, const ModelDeclaration& declaration,
                    const std::string& key);

}  // namespace burnish
