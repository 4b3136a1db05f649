// The templates that axolotl and LLaMA-Factory carry by name.
#pragma once

#include "recipe/import/translation.h"

namespace burnish::foreign {

/// A family's name (llama3, qwen) stands for the format that the family's own template writes:
/// model.template `default`, with a remark. `chatml` is that of model.template; another general
/// format (alpaca) is refused.
void put_named_template(Translation& t, const std::string& name, std::string_view key);

}  // namespace burnish::foreign
