// Samples -> rows -> steps, in an order that is computed, never replayed: the state of a stream is
// a handful of integers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/sample.h"

namespace burnish {

/// What happened to tokens and samples on their way into rows.
struct DataCounts {
  int64_t samples = 0, tokens = 0, targets = 0;
  int64_t samples_dropped_without_target = 0, samples_dropped_overlong = 0;
  int64_t tokens_dropped_without_target = 0, tokens_dropped_overlong = 0, tokens_truncated = 0;
  int64_t samples_truncated = 0, samples_split = 0;
  int64_t bad_lines = 0;
};

struct PackOptions {
  int64_t sequence_length = 2048;
  std::string packing = "stream";     ///< stream, none
  std::string overlong = "truncate";  ///< for packing none and for every sample: see fit_samples
  std::optional<uint64_t> shuffle_seed;
};

/// Cuts samples to the sequence length by `overlong` and drops those without a target.
/// `stream` packing cuts at row ends by itself: there only `none` needs a limit, and `overlong`
/// other than split applies to samples longer than a row.
/// @throws Error(data) for overlong: error (file:line, both lengths), and if nothing is left to
/// train on.
std::vector<Sample> fit_samples(std::vector<Sample> samples, const PackOptions& options,
                                DataCounts& counts);

/// Where a stream stands: at the beginning of a row, never inside one.
struct StreamState {
  int64_t epoch = 0;
  int64_t sample = 0;  ///< position in this epoch's order
  int64_t token = 0;   ///< tokens of that sample that earlier rows took
  int64_t row = 0;     ///< number of the next row
  bool operator==(const StreamState&) const = default;
};

/// Rows without end: epochs follow each other, each with a permutation of its own. A row never
/// crosses an epoch's end (the last row of an epoch may be short).
class RowStream {
 public:
  RowStream(std::vector<Sample> samples, PackOptions options);
  Row next();
  const StreamState& state() const { return state_; }
  void restore(const StreamState& state) { state_ = state; }
  /// Rows in one epoch. Exact; costs one pass over the lengths the first time.
  int64_t rows_per_epoch(int64_t epoch) const;
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::vector<Sample> samples_;
  PackOptions options_;
  StreamState state_;
  int64_t order_epoch_ = -1;
  std::vector<int64_t> order_;
};

struct BatchOptions {
  int64_t global_batch_rows = 8;
  std::optional<int64_t> micro_batch_rows;
  std::optional<int64_t> max_tokens_per_rank;
};

/// The rows of one step cut into micro-batches. A step never crosses an epoch's end.
StepBatches make_step(std::vector<Row> rows, const BatchOptions& options);

}  // namespace burnish
