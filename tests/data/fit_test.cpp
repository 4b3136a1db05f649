#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.h"
#include "base/file.h"
#include "data/row_stream.h"
#include "data/sample_helper.h"

namespace burnish {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing_samples::sample_of;
using testing_samples::samples_of;

PackOptions options_of(int64_t length, const std::string& overlong,
                       const std::string& packing = "none") {
  PackOptions options;
  options.sequence_length = length;
  options.overlong = overlong;
  options.packing = packing;
  return options;
}

std::string refusal(std::vector<Sample> samples, const PackOptions& options) {
  DataCounts counts;
  try {
    fit_samples(std::move(samples), options, counts);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Fit, TruncateKeepsTheFirstTokens) {
  DataCounts counts;
  const auto kept = fit_samples(samples_of({3, 9}), options_of(4, "truncate"), counts);
  EXPECT_THAT(kept[1].ids, ElementsAre(1000, 1001, 1002, 1003));
  EXPECT_EQ(counts.samples_truncated, 1);
  EXPECT_EQ(counts.tokens_truncated, 5);
  EXPECT_EQ(counts.tokens, 7);
  EXPECT_EQ(counts.targets, 5);
}

TEST(Fit, DropAndErrorNameTheLengths) {
  DataCounts counts;
  EXPECT_EQ(fit_samples(samples_of({3, 9}), options_of(4, "drop"), counts).size(), 1u);
  EXPECT_EQ(counts.samples_dropped_overlong, 1);
  EXPECT_EQ(counts.tokens_dropped_overlong, 9);
  EXPECT_THAT(refusal(samples_of({3, 9}), options_of(4, "error")),
              HasSubstr("made:2: the sample is too long: 9 tokens, a row holds 4"));
}

TEST(Fit, SplitPiecesBeginWithoutATarget) {
  DataCounts counts;
  const auto pieces = fit_samples({sample_of(0, 9)}, options_of(4, "split"), counts);
  ASSERT_EQ(pieces.size(), 2u);  // the third piece is one token: no target
  EXPECT_THAT(pieces[1].ids, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(pieces[1].target, ElementsAre(0, 1, 1, 1));
  EXPECT_EQ(counts.samples_split, 1);
  EXPECT_EQ(counts.tokens_dropped_without_target, 1);
  // stream packing cuts by itself
  EXPECT_EQ(fit_samples({sample_of(0, 9)}, options_of(4, "split", "stream"), counts)[0].ids.size(),
            9u);
}

TEST(Fit, SamplesWithoutATargetAreDroppedAndNothingLeftIsAnError) {
  Sample masked = sample_of(1, 4);
  masked.target.assign(4, 0);
  masked.target[0] = 1;  // position 0 is never one
  DataCounts counts;
  const auto kept = fit_samples({sample_of(0, 3), masked, Sample{}}, options_of(8, "drop"), counts);
  EXPECT_EQ(kept.size(), 1u);
  EXPECT_EQ(counts.samples_dropped_without_target, 2);
  EXPECT_EQ(counts.tokens_dropped_without_target, 4);
  EXPECT_THAT(refusal({masked}, options_of(8, "drop")),
              HasSubstr("made:2: nothing is left to train on: none of 1 samples"));
  EXPECT_THAT(refusal({}, options_of(8, "drop")), HasSubstr("nothing is left"));
}

TEST(Fit, UnknownNamesAndLengthsAreRefused) {
  EXPECT_THAT(refusal(samples_of({3}), options_of(8, "cut")), HasSubstr("data.overlong"));
  EXPECT_THAT(refusal(samples_of({3}), options_of(1, "drop")), HasSubstr("2 tokens or more"));
  EXPECT_THAT(refusal(samples_of({3}), options_of(8, "drop", "best")), HasSubstr("data.packing"));
}

// cases/D03: no tail of a cut document starts a segment, and what goes is counted.
TEST(Fit, SmallDocumentsOfTheCase) {
  const std::string folder = std::string(BURNISH_TEST_DATA) + "/cases/D03-overlong-and-odd-length/";
  const auto documents = nlohmann::json::parse(read_text_file(folder + "small.json"));
  const auto expected = nlohmann::json::parse(read_text_file(folder + "expected.json"))["small"];
  std::vector<Sample> samples;
  const auto& rows = documents.is_array() ? documents : documents["docs"];
  for (const auto& row : rows) {
    Sample sample{row.get<std::vector<int32_t>>(), {}, {}};
    sample.target.assign(sample.ids.size(), 1);
    samples.push_back(std::move(sample));
  }
  DataCounts counts;
  const auto kept = fit_samples(samples, options_of(expected["seq_len"], "truncate"), counts);
  EXPECT_EQ(counts.tokens + counts.tokens_truncated + counts.tokens_dropped_without_target,
            expected["tokens_in"].get<int64_t>());
  EXPECT_EQ(counts.tokens + counts.tokens_dropped_without_target,
            expected["tokens_kept_if_truncated"].get<int64_t>());
  for (const Sample& sample : kept)
    for (const auto& tail : expected["must_not_contain_segments"])
      EXPECT_NE(nlohmann::json(sample.ids), tail);
}

TEST(Fit, EveryTokenIsKeptOrCounted) {
  rc::check([] {
    std::vector<Sample> samples;
    int64_t tokens = 0;
    const int count = *rc::gen::inRange(1, 12);
    for (int i = 0; i < count; ++i) {
      Sample sample = sample_of(i, *rc::gen::inRange(0, 30));
      for (auto& flag : sample.target) flag = *rc::gen::inRange(0, 2);
      tokens += static_cast<int64_t>(sample.ids.size());
      samples.push_back(std::move(sample));
    }
    samples.push_back(sample_of(99, 2));  // something is left
    const auto options =
        options_of(*rc::gen::inRange(2, 12),
                   *rc::gen::elementOf(std::vector<std::string>{"truncate", "drop", "split"}),
                   *rc::gen::elementOf(std::vector<std::string>{"none", "stream"}));
    DataCounts counts;
    const auto kept = fit_samples(samples, options, counts);
    int64_t kept_tokens = 0, kept_targets = 0;
    for (const Sample& sample : kept) {
      kept_tokens += static_cast<int64_t>(sample.ids.size());
      for (size_t t = 1; t < sample.ids.size(); ++t) kept_targets += sample.target[t];
    }
    RC_ASSERT(counts.tokens == kept_tokens);
    RC_ASSERT(counts.targets == kept_targets);
    RC_ASSERT(counts.samples == static_cast<int64_t>(kept.size()));
    RC_ASSERT(counts.tokens + counts.tokens_truncated + counts.tokens_dropped_overlong +
                  counts.tokens_dropped_without_target ==
              tokens + 2);
  });
}

}  // namespace
}  // namespace burnish
