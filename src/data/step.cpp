#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "data/row_stream.h"

namespace burnish {
namespace {

void check_options(const BatchOptions& options) {
  if (options.micro_batch_rows && options.max_tokens_per_rank)
    throw Error(ErrorCode::recipe, "micro_batch_rows and max_tokens_per_rank are both set",
                "train.micro_batch_rows", "Keep one of them");
  const auto check = [](std::optional<int64_t> value, const char* key) {
    if (value && *value < 1)
      throw Error(ErrorCode::recipe, "must be 1 or more, not " + std::to_string(*value), key);
  };
  check(options.micro_batch_rows, "train.micro_batch_rows");
  check(options.max_tokens_per_rank, "train.max_tokens_per_rank");
  if (options.shared_tokens < 1)
    throw Error(ErrorCode::internal,
                "a pass of " + std::to_string(options.shared_tokens) + " tokens");
}

bool stands_alone(const Row& row, const BatchOptions& options) {
  return 2 * row.num_tokens() >= options.shared_tokens;
}

// Whether `row` may join the micro-batch `part` of `tokens` tokens.
bool joins(const Row& row, std::span<const Row> part, int64_t tokens, const BatchOptions& options) {
  if (options.micro_batch_rows)
    return static_cast<int64_t>(part.size()) < *options.micro_batch_rows;
  if (options.max_tokens_per_rank) return tokens + row.num_tokens() <= *options.max_tokens_per_rank;
  return !stands_alone(part.front(), options) && !stands_alone(row, options) &&
         tokens + row.num_tokens() <= options.shared_tokens;
}

Batch lay_end_to_end(std::span<const Row> rows) {
  Batch batch;
  for (const Row& row : rows) {
    batch.ids.insert(batch.ids.end(), row.ids.begin(), row.ids.end());
    batch.labels.insert(batch.labels.end(), row.labels.begin(), row.labels.end());
    batch.segments.append(row.segments);
    batch.row_ids.push_back(row.id);
    batch.row_segments.push_back(row.segments.count());
    batch.num_targets += row.num_targets();
  }
  return batch;
}

// `count` segments of a batch, from `first` on: a row of it.
Batch piece_of(const Batch& batch, int64_t first, int64_t count) {
  const int32_t begin = batch.segments.begin(first), end = batch.segments.end(first + count - 1);
  Batch piece;
  piece.ids.assign(batch.ids.begin() + begin, batch.ids.begin() + end);
  piece.labels.assign(batch.labels.begin() + begin, batch.labels.begin() + end);
  std::vector<int32_t> ends{0};
  for (int64_t s = first; s < first + count; ++s) ends.push_back(batch.segments.end(s) - begin);
  piece.segments = Segments(std::move(ends));
  piece.row_segments = {count};
  piece.num_targets = std::count_if(piece.labels.begin(), piece.labels.end(),
                                    [](int32_t label) { return label != kIgnoreLabel; });
  return piece;
}

int64_t padding_of(std::span<const Row> rows) {
  int64_t longest = 0, tokens = 0;
  for (const Row& row : rows) {
    longest = std::max(longest, row.num_tokens());
    tokens += row.num_tokens();
  }
  return longest * static_cast<int64_t>(rows.size()) - tokens;
}

}  // namespace

StepBatches make_step(std::vector<Row> rows, const BatchOptions& options) {
  check_options(options);
  StepBatches step;
  size_t begin = 0;
  while (begin < rows.size()) {
    int64_t tokens = rows[begin].num_tokens();
    if (options.max_tokens_per_rank && tokens > *options.max_tokens_per_rank)
      throw Error(ErrorCode::data,
                  "row " + std::to_string(rows[begin].id) + " has " + std::to_string(tokens) +
                      " tokens, more than max_tokens_per_rank " +
                      std::to_string(*options.max_tokens_per_rank),
                  "train.max_tokens_per_rank", "Raise it, or lower data.sequence_length");
    std::span<const Row> part(rows.data() + begin, 1);
    while (begin + part.size() < rows.size()) {
      const Row& next = rows[begin + part.size()];
      if (!joins(next, part, tokens, options)) break;
      tokens += next.num_tokens();
      part = {part.data(), part.size() + 1};
    }
    step.micro_batches.push_back(lay_end_to_end(part));
    step.tokens += tokens;
    step.padding_tokens += padding_of(part);
    step.targets += step.micro_batches.back().num_targets;
    begin += part.size();
  }
  return step;
}

std::vector<Batch> one_row_each(const std::vector<Batch>& micro_batches) {
  std::vector<Batch> rows;
  for (const Batch& batch : micro_batches) {
    int64_t segment = 0;
    for (size_t i = 0; i < batch.row_ids.size(); ++i) {
      const int64_t count = batch.row_segments[i];
      rows.push_back(piece_of(batch, segment, count));
      rows.back().row_ids = {batch.row_ids[i]};
      segment += count;
    }
  }
  return rows;
}

}  // namespace burnish
