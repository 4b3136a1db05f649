// What accelerate's keys say about a run beside the trainer's own.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

void map_launch(Translation& t);
void map_launch_precision(Translation& t);
void map_launch_batch(Translation& t);
void map_launch_recompute(Translation& t);

}  // namespace burnish::foreign
