#include "data/row_stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace burnish {
namespace {
int64_t num_tokens(const Sample& sample) {
  return static_cast<int64_t>(sample.ids.size());
}
}  // namespace

RowStream::RowStream(std::vector<Sample> samples, PackOptions options)
    : samples_(std::move(samples)), options_(std::move(options)) {
  if (samples_.empty()) throw Error(ErrorCode::data, "there are no samples to make rows of");
  int64_t tokens = 0;
  for (const Sample& sample : samples_) {
    if (sample.ids.empty() || sample.target.size() != sample.ids.size())
      throw Error(ErrorCode::internal, "a sample without tokens, or without a flag for each");
    if (options_.packing == "none" && num_tokens(sample) > options_.sequence_length)
      throw Error(ErrorCode::data,
                  "a sample of " + std::to_string(num_tokens(sample)) + " tokens, but rows of " +
                      std::to_string(options_.sequence_length),
                  place_of(sample.where));
    tokens += num_tokens(sample);
  }
  const int64_t length = options_.sequence_length;
  rows_per_epoch_ = options_.packing == "none" ? static_cast<int64_t>(samples_.size())
                                               : (tokens + length - 1) / length;
}

int64_t RowStream::rows_per_epoch(int64_t /*epoch*/) const {
  return rows_per_epoch_;
}

void RowStream::check_state() const {
  const auto count = static_cast<int64_t>(samples_.size());
  if (state_.epoch < 0 || state_.row < 0 || state_.token < 0 || state_.sample < 0 ||
      state_.sample >= count)
    throw Error(ErrorCode::data,
                "the saved position (epoch " + std::to_string(state_.epoch) + ", sample " +
                    std::to_string(state_.sample) + ") is not one of these " +
                    std::to_string(count) + " samples",
                {}, "The data have changed since it was saved");
}

// The sample that the stream stands in.
const Sample& RowStream::current() {
  if (order_epoch_ != state_.epoch) {
    const auto count = static_cast<int64_t>(samples_.size());
    if (options_.shuffle_seed) {
      order_ = permutation(count, *options_.shuffle_seed, static_cast<uint64_t>(state_.epoch));
    } else {
      order_.resize(count);
      for (int64_t i = 0; i < count; ++i) order_[i] = i;
    }
    order_epoch_ = state_.epoch;
  }
  const Sample& sample = samples_[order_[state_.sample]];
  if (state_.token >= num_tokens(sample))
    throw Error(ErrorCode::data,
                "the saved position is token " + std::to_string(state_.token) + " of a sample of " +
                    std::to_string(num_tokens(sample)),
                place_of(sample.where), "The data have changed since it was saved");
  return sample;
}

void RowStream::advance_epoch_if_ended() {
  if (state_.sample == static_cast<int64_t>(samples_.size()))
    state_ = {state_.epoch + 1, 0, 0, state_.row};
}

Row RowStream::next() {
  check_state();
  const int64_t epoch = state_.epoch;
  const bool one_sample = options_.packing == "none";
  Row row;
  row.id = state_.row;
  do {
    const Sample& sample = current();
    const int64_t room = options_.sequence_length - row.num_tokens();
    const int64_t taken = std::min(room, num_tokens(sample) - state_.token);
    append_segment(row, std::span(sample.ids).subspan(state_.token, taken),
                   std::span(sample.target).subspan(state_.token, taken));
    row.sources.push_back(sample.where);
    state_.token += taken;
    if (state_.token == num_tokens(sample)) ++state_.sample, state_.token = 0;
    advance_epoch_if_ended();
  } while (!one_sample && state_.epoch == epoch && row.num_tokens() < options_.sequence_length);
  ++state_.row;
  return row;
}

}  // namespace burnish
