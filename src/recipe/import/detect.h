// Which trainer a configuration file is for.
#pragma once

#include "recipe/import/rule.h"
#include "recipe/yaml_tree.h"

namespace burnish::foreign {

/// The format of this name, or, for an empty one, the only format of which `root` has keys that no
/// other format knows. @throws Error(recipe): none, or several.
const Format& format_of(const YamlNode& root, const std::string& name);

}  // namespace burnish::foreign
