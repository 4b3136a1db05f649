// What single keys of axolotl cannot say alone.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

void map_axolotl_model(Translation& t);
void map_axolotl_template(Translation& t);
void map_axolotl_data(Translation& t);
void map_axolotl_rows(Translation& t);
void map_axolotl_schedule(Translation& t);
void map_axolotl_precision(Translation& t);
void map_axolotl_trainable(Translation& t);
void map_axolotl_cadence(Translation& t);
void map_axolotl_stopping(Translation& t);

}  // namespace burnish::foreign
