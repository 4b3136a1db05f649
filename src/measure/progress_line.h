// The line that a terminal shows while a run goes on, as a pure function of its values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/readable.h"

namespace burnish {

struct Progress {
  int64_t step = 0;
  std::optional<int64_t> total_steps;  ///< empty where the run ends by tokens or seconds
  double done = 0;                     ///< share of the run, 0 to 1
  std::optional<double> loss, learning_rate, tokens_per_s;
  std::optional<double> matrix_rate_share;  ///< of the processor's measured matrix rate
  std::optional<double> rss_mib;
  std::optional<double> time_left_s;
};

/// At most `columns` columns, without line end: what matters least is left out first (the bar, the
/// matrix rate, memory, the learning rate, tokens/s, the loss, the time left); never empty for
/// columns > 0. Example:
/// "step 12/100 ━━━╸        12%  loss 1.923  lr 1.00e-05  411 tok/s  61% of matrix rate  1.4 GiB
/// 1:52 left"
std::string progress_line(const Progress& progress, int columns);

}  // namespace burnish
