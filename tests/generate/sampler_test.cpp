#include "generate/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.h"

namespace burnish {
namespace {

const std::vector<float> kLogits{0.0F, 2.0F, 1.0F, -1.0F};

std::map<int32_t, double> frequencies(const SamplingOptions& options, int draws = 20000) {
  std::map<int32_t, double> seen;
  for (int i = 0; i < draws; ++i)
    seen[sample_token(kLogits, options, static_cast<uint64_t>(i))] += 1.0 / draws;
  return seen;
}

TEST(Sampler, GreedyTakesTheLargestAndTheFirstOnTies) {
  EXPECT_EQ(sample_token(kLogits, {}, 0), 1);
  EXPECT_EQ(sample_token(std::vector<float>{3, 5, 5}, {}, 0), 1);
}

// 20,000 draws: three standard deviations of a frequency are at most 0.011.
TEST(Sampler, FrequenciesAreTheSoftmax) {
  SamplingOptions options;
  options.temperature = 2.0;
  double sum = 0;
  for (float logit : kLogits) sum += std::exp(logit / 2.0);
  auto seen = frequencies(options);
  for (int32_t id = 0; id < 4; ++id)
    EXPECT_NEAR(seen[id], std::exp(kLogits[id] / 2.0) / sum, 0.011) << id;
}

TEST(Sampler, CutsKeepWhatTheySay) {
  SamplingOptions top_k, top_p, min_p;
  top_k.temperature = top_p.temperature = min_p.temperature = 1.0;
  top_k.top_k = 2;
  top_p.top_p = 0.7;  // 0.644 alone is not enough: 1 and 2
  min_p.min_p = 0.2;  // of the largest: e^-1 passes, e^-2 does not
  for (const SamplingOptions& options : {top_k, top_p, min_p}) {
    auto seen = frequencies(options, 2000);
    EXPECT_EQ(seen.size(), 2u);
    EXPECT_TRUE(seen.contains(1) && seen.contains(2));
  }
}

TEST(Sampler, SameSeedSameTokens) {
  SamplingOptions options;
  options.temperature = 1.0;
  options.seed = 7;
  std::vector<int32_t> a, b;
  for (uint64_t i = 0; i < 50; ++i) a.push_back(sample_token(kLogits, options, i));
  for (uint64_t i = 0; i < 50; ++i) b.push_back(sample_token(kLogits, options, i));
  EXPECT_EQ(a, b);
}

TEST(Sampler, RefusesWhatMakesNoSense) {
  SamplingOptions options;
  options.temperature = -1;
  EXPECT_THROW(check_sampling(options), Error);
  options.temperature = 1;
  options.top_p = 0;
  EXPECT_THROW(check_sampling(options), Error);
  options.top_p = std::nan("");
  EXPECT_THROW(check_sampling(options), Error);
}

}  // namespace
}  // namespace burnish
