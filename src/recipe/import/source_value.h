// Values as Python's YAML and argument parsers take them: looser than a recipe's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recipe/yaml_tree.h"

namespace burnish::foreign {

/// @throws Error(recipe) for a list or a group
std::string text_of(const YamlNode& node);
/// true, yes, on, 1 and their opposites in any case. @throws Error(recipe)
bool flag_of(const YamlNode& node);
/// Also in quotes. @throws Error(recipe) for what is no finite number
double number_of(const YamlNode& node);
int64_t whole_of(const YamlNode& node, int64_t low, int64_t high);

/// Whether the value says what the default says: the same text or number, null, or false and empty
/// where the default is null or false.
bool is_neutral(const YamlNode& node, std::string_view fallback);

}  // namespace burnish::foreign
