#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "data/row_stream.h"

namespace burnish {
namespace {

void check_options(const PackOptions& options) {
  if (options.sequence_length < 2)
    throw Error(ErrorCode::recipe,
                "a row must hold 2 tokens or more, not " + std::to_string(options.sequence_length),
                "data.sequence_length");
  const auto& overlong = options.overlong;
  if (overlong != "truncate" && overlong != "drop" && overlong != "split" && overlong != "error")
    throw Error(ErrorCode::recipe, "unknown value '" + overlong + "'", "data.overlong",
                "It is one of truncate, drop, split, error");
  if (options.packing != "stream" && options.packing != "none")
    throw Error(ErrorCode::recipe, "unknown value '" + options.packing + "'", "data.packing",
                "It is one of stream, none");
}

int64_t num_tokens(const Sample& sample) {
  return static_cast<int64_t>(sample.ids.size());
}

// Position 0 has nothing before it to be predicted from.
int64_t num_targets(const Sample& sample) {
  if (sample.target.empty()) return 0;
  return std::count_if(sample.target.begin() + 1, sample.target.end(),
                       [](uint8_t target) { return target != 0; });
}

Sample piece_of(const Sample& sample, int64_t begin, int64_t end) {
  Sample piece{{sample.ids.begin() + begin, sample.ids.begin() + end},
               {sample.target.begin() + begin, sample.target.begin() + end},
               sample.where};
  piece.target[0] = 0;
  return piece;
}

std::string lengths(const Sample& sample, const PackOptions& options) {
  return std::to_string(num_tokens(sample)) + " tokens, a row holds " +
         std::to_string(options.sequence_length);
}

// Keeps the piece if it has a target.
void keep(FittedSample& fitted, Sample piece, DataCounts& counts) {
  const int64_t targets = num_targets(piece);
  if (targets == 0) {
    ++counts.samples_dropped_without_target;
    counts.tokens_dropped_without_target += num_tokens(piece);
    fitted.reason += fitted.reason.empty() ? "no target" : "; no target is left";
    return;
  }
  ++counts.samples;
  counts.tokens += num_tokens(piece);
  counts.targets += targets;
  fitted.pieces.push_back(std::move(piece));
}

}  // namespace

FittedSample fit_sample(Sample sample, const PackOptions& options, DataCounts& counts) {
  check_options(options);
  const int64_t tokens = num_tokens(sample), limit = options.sequence_length;
  FittedSample fitted;
  if (tokens <= limit || (options.packing == "stream" && options.overlong == "split")) {
    keep(fitted, std::move(sample), counts);
    return fitted;
  }
  if (options.overlong == "error")
    throw Error(ErrorCode::data, "the sample is too long: " + lengths(sample, options),
                place_of(sample.where),
                "Raise data.sequence_length, or let data.overlong be truncate, drop or split");
  fitted.reason = "overlong: " + lengths(sample, options);
  if (options.overlong == "drop") {
    ++counts.samples_dropped_overlong;
    counts.tokens_dropped_overlong += tokens;
  } else if (options.overlong == "truncate") {
    ++counts.samples_truncated;
    counts.tokens_truncated += tokens - limit;
    keep(fitted, piece_of(sample, 0, limit), counts);
  } else {
    ++counts.samples_split;
    for (int64_t begin = 0; begin < tokens; begin += limit)
      keep(fitted, piece_of(sample, begin, std::min(begin + limit, tokens)), counts);
  }
  return fitted;
}

std::vector<Sample> fit_samples(std::vector<Sample> samples, const PackOptions& options,
                                DataCounts& counts) {
  check_options(options);
  counts.samples = counts.tokens = counts.targets = 0;
  std::vector<Sample> kept;
  kept.reserve(samples.size());
  std::string first_reason, first_place;
  for (Sample& sample : samples) {
    const SourceLine where = sample.where;
    FittedSample fitted = fit_sample(std::move(sample), options, counts);
    if (fitted.pieces.empty() && first_place.empty())
      first_place = place_of(where), first_reason = fitted.reason;
    for (Sample& piece : fitted.pieces) kept.push_back(std::move(piece));
  }
  if (kept.empty()) {
    const std::string why = first_place.empty() ? "" : "; the first one: " + first_reason;
    throw Error(ErrorCode::data,
                "nothing is left to train on: none of " + std::to_string(samples.size()) +
                    " samples has a target within its row" + why,
                first_place, "Check data.mask, data.sequence_length and data.overlong");
  }
  return kept;
}

}  // namespace burnish
