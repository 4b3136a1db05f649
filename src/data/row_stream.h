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

/// What happened to tokens and samples on their way into rows. At each stage: tokens of the stage
/// before = tokens + tokens_truncated + tokens_dropped_overlong + tokens_dropped_without_target.
struct DataCounts {
  int64_t samples = 0, tokens = 0, targets = 0;  ///< of the samples that are kept
  int64_t samples_dropped_without_target = 0, samples_dropped_overlong = 0;
  int64_t tokens_dropped_without_target = 0, tokens_dropped_overlong = 0, tokens_truncated = 0;
  int64_t samples_truncated = 0, samples_split = 0;
  int64_t bad_lines = 0;
};

struct PackOptions {
  int64_t sequence_length = 2048;
  std::string packing = "stream";     ///< stream, none
  std::string overlong = "truncate";  ///< of samples longer than a row: truncate (its first
                                      ///< sequence_length tokens stay), drop, split, error
  std::optional<uint64_t> shuffle_seed;
};

/// What becomes of one sample: the pieces that are kept, and the reason where something is not.
struct FittedSample {
  std::vector<Sample> pieces;  ///< one; several after a split; none if dropped
  std::string reason;          ///< "overlong: 80 tokens, ...", "no target", ...; empty: kept whole
};

/// Cuts one sample to the sequence length by `overlong` and drops what has no target. A piece of a
/// split sample begins with a token that is no target. `stream` packing cuts at row ends by itself:
/// with it, split leaves a long sample whole.
/// @throws Error(data) for overlong: error (file:line, both lengths); Error(recipe) for an unknown
/// name or a length below 2.
FittedSample fit_sample(Sample sample, const PackOptions& options, DataCounts& counts);

/// fit_sample for all. @throws Error(data) too if nothing is left to train on.
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
///  stream: rows of sequence_length tokens filled in order; a sample cut at a row's end goes on in
///          the next row as a segment of its own, whose first token is no target;
///  none:   one sample a row.
class RowStream {
 public:
  /// @param samples as fit_samples leaves them.
  /// @throws Error(data) without samples, and for packing none with a sample longer than a row.
  RowStream(std::vector<Sample> samples, PackOptions options);
  /// @throws Error(data) where a restored state does not fit these samples.
  Row next();
  const StreamState& state() const { return state_; }
  void restore(const StreamState& state) { state_ = state; }
  /// Rows in one epoch: the same for all, since only the order differs.
  int64_t rows_per_epoch(int64_t epoch) const;
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  void check_state() const;
  const Sample& current();
  void advance_epoch_if_ended();
  std::vector<Sample> samples_;
  PackOptions options_;
  StreamState state_;
  int64_t rows_per_epoch_ = 0;
  int64_t order_epoch_ = -1;
  std::vector<int64_t> order_;
};

/// How the rows of a step are cut into micro-batches: by a number of rows, by a number of tokens,
/// or, with neither, so that activations stay small: rows share a micro-batch of up to
/// shared_tokens tokens, and one of half as many or more stands alone. Results do not depend on it
/// but by rounding: the loss is divided by the targets of the whole step.
struct BatchOptions {
  int64_t global_batch_rows = 8;
  std::optional<int64_t> micro_batch_rows = {};
  std::optional<int64_t> max_tokens_per_rank = {};
  /// A processor is no faster with more tokens a pass than these.
  int64_t shared_tokens = 1024;
};

/// The rows of one step cut into micro-batches, in order. A step never crosses an epoch's end.
/// @throws Error(recipe) for both cuts at once or a number below 1; Error(data) for a row of more
/// than max_tokens_per_rank tokens.
StepBatches make_step(std::vector<Row> rows, const BatchOptions& options);

/// The same rows, each as a micro-batch of its own.
std::vector<Batch> one_row_each(const std::vector<Batch>& micro_batches);

}  // namespace burnish
