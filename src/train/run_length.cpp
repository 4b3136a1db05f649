#include "train/run_length.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace burnish {
namespace {

int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// Tokens differ from row to row: the steps are counted as they will come.
int64_t steps_for_tokens(RowStream stream, int64_t tokens, int64_t batch_rows) {
  int64_t steps = 0, seen = 0;
  while (seen < tokens) {
    const int64_t epoch = stream.state().epoch;
    for (int64_t row = 0; row < batch_rows && stream.state().epoch == epoch; ++row)
      seen += stream.next().num_tokens();
    ++steps;
  }
  return steps;
}

}  // namespace

RunLength run_length(const Recipe& recipe, const RowStream& stream) {
  const TrainEnd& end = recipe.train.end;
  const int64_t batch_rows = recipe.train.global_batch_rows;
  RunLength length{ceil_div(stream.rows_per_epoch(0), batch_rows), {}};
  const auto at_most = [&](int64_t steps) {
    length.total_steps = std::min(length.total_steps.value_or(steps), steps);
  };
  if (end.steps) at_most(*end.steps);
  if (end.epochs)
    at_most(
        static_cast<int64_t>(std::ceil(*end.epochs * static_cast<double>(length.steps_per_epoch))));
  if (end.tokens) at_most(steps_for_tokens(stream, *end.tokens, batch_rows));
  if (!length.total_steps && (recipe.optimizer.schedule.name != "constant" ||
                              recipe.optimizer.schedule.warmup_fraction > 0))
    throw Error(
        ErrorCode::recipe,
        "a " + recipe.optimizer.schedule.name +
            " schedule with these settings needs the number of steps, but only seconds end the run",
        "optimizer.schedule",
        "Add train.end.steps, epochs or tokens, or take a constant schedule with warm-up steps");
  return length;
}

}  // namespace burnish
