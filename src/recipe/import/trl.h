// What single keys of TRL's SFTConfig, ModelConfig and ScriptArguments cannot say alone.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

void map_trl_data(Translation& t);
void map_trl_targets(Translation& t);
void map_trl_rows(Translation& t);
void map_trl_template(Translation& t);
void map_trl_precision(Translation& t);
void map_trl_adapter(Translation& t);

}  // namespace burnish::foreign
