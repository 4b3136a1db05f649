#include "data/prefetch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "data/sample_helper.h"

namespace burnish {
namespace {
using testing_samples::samples_of;

RowStream stream_of(const std::vector<int32_t>& lengths) {
  PackOptions options;
  options.sequence_length = 8;
  options.shuffle_seed = 3;
  return RowStream(samples_of(lengths), options);
}

TEST(Prefetch, GivesTheStepsOfTheStreamAndTheirStates) {
  RowStream plain = stream_of({3, 9, 4, 7, 8, 2, 5});
  const BatchOptions options{.global_batch_rows = 2};
  StepPrefetcher prefetcher(stream_of({3, 9, 4, 7, 8, 2, 5}), options, 3);
  for (int i = 0; i < 50; ++i) {
    const PreparedStep step = prefetcher.next();
    const PreparedStep expected = prepare_step(plain, options);
    EXPECT_EQ(step.state_after, expected.state_after);
    EXPECT_EQ(step.epoch, expected.epoch);
    EXPECT_EQ(step.ends_epoch, expected.ends_epoch);
    EXPECT_EQ(step.batches.micro_batches[0].ids, expected.batches.micro_batches[0].ids);
  }
}

TEST(Prefetch, ThrowsWhatTheThreadThrewAndGoesOnThrowing) {
  StepPrefetcher prefetcher(stream_of({3, 9}), {.global_batch_rows = 1, .max_tokens_per_rank = 4});
  for (int i = 0; i < 2; ++i) {
    try {
      prefetcher.next();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::data);
    }
  }
  StepPrefetcher refused(stream_of({3}), {.global_batch_rows = 0});
  EXPECT_THROW(refused.next(), Error);
}

TEST(Prefetch, EndsCleanlyAtOnceWhenFullAndWhenHalfRead) {
  for (int i = 0; i < 30; ++i) {
    StepPrefetcher prefetcher(stream_of({3, 9, 4}), {.global_batch_rows = 2}, 1 + i % 3);
    for (int k = 0; k < i % 4; ++k) prefetcher.next();
    if (i % 5 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace
}  // namespace burnish
