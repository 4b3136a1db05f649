// What single keys of LLaMA-Factory cannot say alone.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

void map_llama_factory_task(Translation& t);
void map_llama_factory_template(Translation& t);
void map_llama_factory_data(Translation& t);
void map_llama_factory_targets(Translation& t);
void map_llama_factory_rows(Translation& t);
void map_llama_factory_precision(Translation& t);
void map_llama_factory_recompute(Translation& t);
void map_llama_factory_stopping(Translation& t);

}  // namespace burnish::foreign
