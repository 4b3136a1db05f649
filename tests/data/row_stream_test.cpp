#include "data/row_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "base/error.h"
#include "base/file.h"
#include "data/prefetch.h"
#include "data/sample_helper.h"

namespace burnish {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing_samples::samples_of;
constexpr int32_t kNone = kIgnoreLabel;

PackOptions options_of(int64_t length, const std::string& packing,
                       std::optional<uint64_t> seed = {}) {
  PackOptions options;
  options.sequence_length = length;
  options.packing = packing;
  options.shuffle_seed = seed;
  return options;
}

TEST(AppendSegment, ShiftsLabelsWithinTheSegment) {
  Row row;
  const std::vector<int32_t> ids{5, 6, 7};
  const std::vector<uint8_t> target{1, 0, 1};
  append_segment(row, ids, target);
  append_segment(row, {}, {});
  append_segment(row, ids, target);
  EXPECT_THAT(row.labels, ElementsAre(kNone, 7, kNone, kNone, 7, kNone));
  EXPECT_THAT(row.segments.cu_seqlens(), ElementsAre(0, 3, 6));
  EXPECT_EQ(row.num_targets(), 2);
}

TEST(RowStream, StreamCutsAtTheRowsEnd) {
  RowStream stream(samples_of({3, 4, 2}), options_of(5, "stream"));
  EXPECT_EQ(stream.rows_per_epoch(0), 2);
  const Row first = stream.next();
  EXPECT_THAT(first.ids, ElementsAre(0, 1, 2, 1000, 1001));
  EXPECT_THAT(first.labels, ElementsAre(1, 2, kNone, 1001, kNone));
  EXPECT_EQ(stream.state(), (StreamState{0, 1, 2, 1}));
  const Row second = stream.next();  // the rest of sample 1 predicts from its second token on
  EXPECT_THAT(second.ids, ElementsAre(1002, 1003, 2000, 2001));
  EXPECT_THAT(second.labels, ElementsAre(1003, kNone, 2001, kNone));
  EXPECT_THAT(second.segments.positions(), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(stream.state(), (StreamState{1, 0, 0, 2}));
  EXPECT_EQ(stream.next().ids, first.ids);  // the next epoch
}

TEST(RowStream, NoneHasOneSampleARow) {
  RowStream stream(samples_of({3, 4}), options_of(5, "none"));
  EXPECT_EQ(stream.rows_per_epoch(7), 2);
  EXPECT_EQ(stream.next().num_tokens(), 3);
  EXPECT_EQ(stream.next().num_tokens(), 4);
  EXPECT_EQ(stream.state().epoch, 1);
}

TEST(RowStream, EpochsHaveOrdersOfTheirOwn) {
  const auto epoch_of = [](RowStream& stream) {
    std::vector<int32_t> order;
    for (int64_t i = stream.rows_per_epoch(0); i > 0; --i) order.push_back(stream.next().ids[0]);
    return order;
  };
  const auto samples = samples_of(std::vector<int32_t>(20, 3));
  RowStream stream(samples, options_of(4, "none", 0)), again(samples, options_of(4, "none", 0)),
      other(samples, options_of(4, "none", 1));
  const auto first = epoch_of(stream), second = epoch_of(stream);
  EXPECT_NE(first, second);
  EXPECT_THAT(first, testing::UnorderedElementsAreArray(second));
  EXPECT_EQ(epoch_of(again), first);
  EXPECT_NE(epoch_of(other), first);
}

TEST(RowStream, PositionsThatDoNotFitAreRefused) {
  RowStream stream(samples_of({3, 4}), options_of(5, "stream"));
  for (const StreamState& state :
       {StreamState{-1, 0, 0, 0}, StreamState{0, 2, 0, 0}, StreamState{0, 0, 3, 0},
        StreamState{0, -1, 0, 0}, StreamState{0, 0, -1, 0}, StreamState{0, 0, 0, -1}}) {
    stream.restore(state);
    try {
      stream.next();
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("The data have changed"));
    }
  }
  EXPECT_THROW(RowStream({}, options_of(5, "stream")), Error);
  EXPECT_THROW(RowStream(samples_of({6}), options_of(5, "none")), Error);
}

struct Case {
  std::vector<Sample> samples;
  PackOptions options;
};

Case any_case() {
  const auto count = *rc::gen::inRange(1, 15);
  std::vector<int32_t> lengths;
  const bool none = *rc::gen::arbitrary<bool>();
  const int64_t length = *rc::gen::inRange(2, 12);
  for (int i = 0; i < count; ++i)
    lengths.push_back(*rc::gen::inRange<int32_t>(1, none ? static_cast<int32_t>(length) + 1 : 30));
  std::optional<uint64_t> seed;
  if (*rc::gen::arbitrary<bool>()) seed = *rc::gen::arbitrary<uint64_t>();
  return {samples_of(lengths), options_of(length, none ? "none" : "stream", seed)};
}

TEST(RowStreamProperties, NoTokenIsLostOrDoubledAndTargetsGoOnlyAtSegmentStarts) {
  rc::check([] {
    const Case given = any_case();
    RowStream stream(given.samples, given.options);
    for (int64_t epoch = 0; epoch < 2; ++epoch) {
      std::map<int32_t, int> seen;
      int64_t targets = 0, segments = 0, tokens = 0;
      for (int64_t r = stream.rows_per_epoch(epoch); r > 0; --r) {
        RC_ASSERT(stream.state().epoch == epoch);
        const Row row = stream.next();
        RC_ASSERT(row.num_tokens() > 0);
        RC_ASSERT(row.num_tokens() <= given.options.sequence_length);
        RC_ASSERT(row.segments.num_tokens() == row.num_tokens());
        RC_ASSERT(row.labels.size() == row.ids.size());
        if (given.options.packing == "stream" && r > 1)
          RC_ASSERT(row.num_tokens() == given.options.sequence_length);
        for (const int32_t id : row.ids) ++seen[id];
        for (size_t t = 0; t < row.ids.size(); ++t)
          if (row.labels[t] != kIgnoreLabel) RC_ASSERT(row.labels[t] == row.ids[t] + 1);
        tokens += row.num_tokens(), targets += row.num_targets(), segments += row.segments.count();
      }
      RC_ASSERT(stream.state().epoch == epoch + 1);
      int64_t expected = 0;
      for (const Sample& sample : given.samples)
        expected += static_cast<int64_t>(sample.ids.size());
      RC_ASSERT(tokens == expected);
      RC_ASSERT(static_cast<int64_t>(seen.size()) == expected);
      RC_ASSERT(targets == tokens - segments);
    }
  });
}

TEST(RowStreamProperties, RestoredStreamsGoOnWithTheVeryNextRow) {
  rc::check([] {
    const Case given = any_case();
    RowStream stream(given.samples, given.options);
    const int64_t skipped = *rc::gen::inRange<int64_t>(0, 3 * stream.rows_per_epoch(0) + 1);
    for (int64_t i = 0; i < skipped; ++i) stream.next();
    RowStream resumed(given.samples, given.options);
    resumed.restore(stream.state());
    for (int64_t i = 0; i < 2 * stream.rows_per_epoch(0); ++i) {
      const Row expected = stream.next(), row = resumed.next();
      RC_ASSERT(row.id == expected.id);
      RC_ASSERT(row.ids == expected.ids);
      RC_ASSERT(row.labels == expected.labels);
      RC_ASSERT(row.segments == expected.segments);
      RC_ASSERT(resumed.state() == stream.state());
    }
  });
}

std::vector<Row> rows_of(const std::vector<int32_t>& lengths) {
  RowStream stream(samples_of(lengths), options_of(100'000, "none"));
  std::vector<Row> rows;
  for (size_t i = 0; i < lengths.size(); ++i) rows.push_back(stream.next());
  return rows;
}

std::vector<std::vector<int64_t>> cut(const std::vector<int32_t>& lengths,
                                      const BatchOptions& options) {
  std::vector<std::vector<int64_t>> row_ids;
  for (const Batch& batch : make_step(rows_of(lengths), options).micro_batches)
    row_ids.push_back(batch.row_ids);
  return row_ids;
}

TEST(MakeStep, CutsByRowsOrTokensInOrder) {
  EXPECT_THAT(cut({3, 4, 5}, {.micro_batch_rows = 2}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
  EXPECT_THAT(cut({3, 4, 5}, {.max_tokens_per_rank = 7}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
  EXPECT_THAT(cut({3, 4, 5}, {.max_tokens_per_rank = 9}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
  EXPECT_THAT(cut({512, 400, 600, 300, 300, 300, 300}, {}),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3, 4, 5),
                          ElementsAre(6)));
}

TEST(MakeStep, SharesFewerTokensWhereTheyFit) {
  EXPECT_THAT(cut({100, 30, 40, 40, 20}, {.shared_tokens = 100}),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(cut({3, 2}, {.shared_tokens = 1}), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(OneRowEach, IsTheStepCutByRows) {
  RowStream stream(samples_of({5, 9, 4, 13, 6, 2, 8}), options_of(11, "stream"));
  std::vector<Row> rows;
  for (int i = 0; i < 4; ++i) rows.push_back(stream.next());
  ASSERT_GT(rows[1].segments.count(), 1);
  const auto expected = make_step(rows, {.micro_batch_rows = 1}).micro_batches;
  const auto batches = one_row_each(make_step(rows, {.micro_batch_rows = 3}).micro_batches);
  ASSERT_EQ(batches.size(), expected.size());
  for (size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].ids, expected[i].ids);
    EXPECT_EQ(batches[i].labels, expected[i].labels);
    EXPECT_EQ(batches[i].segments, expected[i].segments);
    EXPECT_EQ(batches[i].row_ids, expected[i].row_ids);
    EXPECT_EQ(batches[i].row_segments, expected[i].row_segments);
    EXPECT_EQ(batches[i].num_targets, expected[i].num_targets);
  }
}

TEST(MakeStep, CountsTokensPaddingAndTargets) {
  const StepBatches step = make_step(rows_of({3, 5, 4}), {.micro_batch_rows = 2});
  EXPECT_EQ(step.tokens, 12);
  EXPECT_EQ(step.padding_tokens, 2);
  EXPECT_EQ(step.targets, 9);
  EXPECT_THAT(step.micro_batches[0].segments.cu_seqlens(), ElementsAre(0, 3, 8));
  EXPECT_EQ(step.micro_batches[1].num_targets, 3);
}

TEST(MakeStep, RefusesWhatCannotBe) {
  const auto refusal = [](const BatchOptions& options) -> std::string {
    try {
      make_step(rows_of({3, 8}), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({.max_tokens_per_rank = 7}), HasSubstr("row 1 has 8 tokens"));
  EXPECT_THAT(refusal({.micro_batch_rows = 1, .max_tokens_per_rank = 9}), HasSubstr("both set"));
  EXPECT_THAT(refusal({.micro_batch_rows = 0}), HasSubstr("1 or more"));
}

std::vector<PreparedStep> all_steps(RowStream& stream, const BatchOptions& options,
                                    int64_t epochs) {
  std::vector<PreparedStep> steps;
  while (stream.state().epoch < epochs) steps.push_back(prepare_step(stream, options));
  return steps;
}

TEST(Steps, RowsOfTheResumeCase) {
  const auto expected = nlohmann::json::parse(
      read_text_file(std::string(BURNISH_TEST_DATA) + "/cases/F09-resume-position/expected.json"));
  RowStream stream(samples_of(std::vector<int32_t>(19, 4)), options_of(8, "none"));
  const BatchOptions options{.global_batch_rows = expected["batch"].get<int64_t>()};
  const auto steps = all_steps(stream, options, expected["epochs"]);
  ASSERT_EQ(steps.size(), expected["steps"].size());
  for (size_t k = 0; k < steps.size(); ++k) {
    std::vector<int64_t> rows;  // the sample that each row holds
    for (const Batch& batch : steps[k].batches.micro_batches)
      for (int64_t s = 0; s < batch.segments.count(); ++s)
        rows.push_back(batch.ids[batch.segments.begin(s)] / 1000);
    EXPECT_EQ(nlohmann::json(rows), expected["steps"][k]["rows"]);
    EXPECT_EQ(nlohmann::json(steps[k].epoch), expected["steps"][k]["epoch"]);
    EXPECT_EQ(steps[k].ends_epoch, k == 4 || k == 9);
  }
  // broken off after each listed step, the rest is the same, shuffled too
  for (const auto seed : {std::optional<uint64_t>{}, std::optional<uint64_t>{0}}) {
    RowStream whole(stream.samples(), options_of(8, "none", seed));
    const auto unbroken = all_steps(whole, options, 2);
    for (const size_t stop : expected["stop_after"].get<std::vector<size_t>>()) {
      RowStream resumed(stream.samples(), options_of(8, "none", seed));
      resumed.restore(unbroken[stop - 1].state_after);
      const auto rest = all_steps(resumed, options, 2);
      ASSERT_EQ(rest.size(), unbroken.size() - stop);
      for (size_t k = 0; k < rest.size(); ++k)
        EXPECT_EQ(rest[k].batches.micro_batches[0].ids,
                  unbroken[stop + k].batches.micro_batches[0].ids);
    }
  }
}

// cases/I05: a short last window of an epoch is a step of its own.
TEST(Steps, CountsOfTheScheduleCase) {
  const auto expected = nlohmann::json::parse(
      read_text_file(std::string(BURNISH_TEST_DATA) + "/cases/I05-lr-schedule/expected.json"));
  for (const auto& count : expected["counts"]) {
    const int64_t rows = count["rows"], micro = count["micro_batch"], ranks = count["ranks"];
    RowStream stream(samples_of(std::vector<int32_t>(rows, 2)), options_of(8, "none"));
    const BatchOptions options{
        .global_batch_rows = micro * ranks * count["accumulation"].get<int64_t>(),
        .micro_batch_rows = micro * ranks};
    const auto steps = all_steps(stream, options, count["epochs"]);
    EXPECT_EQ(nlohmann::json(steps.size()), count["optimizer_steps"]);
    size_t batches = 0;
    for (const auto& step : steps)
      batches += step.epoch == 0 ? step.batches.micro_batches.size() : 0;
    EXPECT_EQ(nlohmann::json(batches), count["batches_per_epoch"]);
  }
}

// cases/D01: four chats in one row; positions restart with each.
TEST(Steps, PackedRowOfTheContaminationCase) {
  const auto expected = nlohmann::json::parse(read_text_file(
      std::string(BURNISH_TEST_DATA) + "/cases/D01-cross-contamination/expected.json"));
  std::vector<Sample> samples;
  for (const auto& document : expected["docs"]) {
    Sample sample{document["input_ids"].get<std::vector<int32_t>>(), {}, {}};
    for (const int32_t label : document["labels"]) sample.target.push_back(label != kIgnoreLabel);
    samples.push_back(std::move(sample));
  }
  RowStream stream(samples, options_of(expected["seq_len"], "stream"));
  const Row row = stream.next();
  EXPECT_EQ(nlohmann::json(row.segments.positions()), expected["position_ids"]);
  EXPECT_EQ(row.num_targets(), 13 + 11 + 4 + 9);
  EXPECT_EQ(stream.state().epoch, 1);
}

}  // namespace
}  // namespace burnish
