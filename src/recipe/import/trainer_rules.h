// What transformers' Trainer and all that is built on it have in common: rules of their tables.
#pragma once

#include "recipe/import/rule.h"

namespace burnish::foreign {

void map_batch(Translation& t);
void map_end(Translation& t);
void map_learning_rate(Translation& t);
void map_schedule(Translation& t);
void map_optimizer(Translation& t);
void map_output(Translation& t);
void map_model(Translation& t);
void map_workers(Translation& t);
void map_trackers(Translation& t);
void map_recompute(Translation& t);
void map_seed(Translation& t);
void map_evaluation(Translation& t);
void map_saving(Translation& t);
void map_logging(Translation& t);

/// A trainer's own rows, and behind them those of transformers' arguments.
std::vector<KeyRow> with_transformers_rows(std::span<const KeyRow> own);

}  // namespace burnish::foreign
