// A sample, a row of samples, a step's worth of micro-batches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/labels.h"
#include "base/segments.h"
#include "data/conversation.h"

namespace burnish {

/// A tokenized conversation. `target[t]` != 0: token t is trained on; never for t = 0.
struct Sample {
  std::vector<int32_t> ids;
  std::vector<uint8_t> target;
  SourceLine where;
};

/// Samples (or pieces of samples) laid end to end. Labels are shifted once, here:
/// labels[t] is the id that position t must predict (the token at t + 1 of the same segment, if it
/// is a target), else kIgnoreLabel.
struct Row {
  std::vector<int32_t> ids;
  std::vector<int32_t> labels;
  Segments segments;
  int64_t id = 0;                   ///< number of this row in the stream, from 0
  std::vector<SourceLine> sources;  ///< of its segments, one each
  int64_t num_tokens() const { return static_cast<int64_t>(ids.size()); }
  int64_t num_targets() const;
};

/// Lays a piece of a sample behind what is in the row, as a segment of its own.
void append_segment(Row& row, std::span<const int32_t> ids, std::span<const uint8_t> target);

/// The rows of one forward and backward pass, laid end to end without padding.
struct Batch {
  std::vector<int32_t> ids, labels;
  Segments segments;
  std::vector<int64_t> row_ids;
  int64_t num_targets = 0;
  std::vector<int64_t> row_segments;  ///< of each row: how many
};

/// All of one optimizer step. Counts are known before the first forward.
struct StepBatches {
  std::vector<Batch> micro_batches;
  int64_t tokens = 0;          ///< not padding
  int64_t padding_tokens = 0;  ///< what a padded layout of these rows would add
  int64_t targets = 0;
};

}  // namespace burnish
