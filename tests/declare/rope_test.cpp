// Both generations of keys by transformers' rule, and its frequencies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "declare/declare_helper.h"

namespace burnish {
namespace {
using namespace testing_declare;
using ::testing::AllOf;
using ::testing::HasSubstr;

const json kLlama3 = {{"factor", 8.0},
                      {"low_freq_factor", 1.0},
                      {"high_freq_factor", 4.0},
                      {"original_max_position_embeddings", 8192},
                      {"rope_type", "llama3"}};

json with_key(json dict, const std::string& key, const json& value) {
  dict[key] = value;
  return dict;
}

TEST(Rope, ThetaStandsInThreePlaces) {
  EXPECT_EQ(small_model().rope.theta, 10000.0);
  EXPECT_EQ(small_model({{"rope_theta", 500.0}}).rope.theta, 500.0);
  EXPECT_EQ(small_model({{"rope_theta", 500.0}, {"rope_scaling", nullptr}}).rope.theta, 500.0);
  EXPECT_EQ(small_model({{"rope_parameters", {{"rope_theta", 500}, {"rope_type", "default"}}}})
                .rope.theta,
            500.0);
  // the dict wins over the top level, rope_scaling over rope_parameters unless it is empty
  EXPECT_EQ(
      small_model({{"rope_theta", 1.0}, {"rope_parameters", {{"rope_theta", 500}}}}).rope.theta,
      500.0);
  EXPECT_EQ(small_model({{"rope_scaling", {{"rope_theta", 7.0}}},
                         {"rope_parameters", {{"rope_theta", 500}}}})
                .rope.theta,
            7.0);
  EXPECT_EQ(
      small_model({{"rope_scaling", json::object()}, {"rope_parameters", {{"rope_theta", 500}}}})
          .rope.theta,
      500.0);
}

TEST(Rope, Llama3OfBothGenerations) {
  const json v4 = {{"rope_theta", 500000.0}, {"rope_scaling", kLlama3}};
  const json v5 = {{"rope_parameters", with_key(kLlama3, "rope_theta", 500000.0)}};
  for (const json& keys : {v4, v5}) {
    const RopeConfig rope = small_model(keys).rope;
    EXPECT_EQ(rope.kind, RopeConfig::Kind::llama3);
    EXPECT_EQ(rope.theta, 500000.0);
    EXPECT_EQ(rope.factor, 8.0);
    EXPECT_EQ(rope.low_freq_factor, 1.0);
    EXPECT_EQ(rope.high_freq_factor, 4.0);
    EXPECT_EQ(rope.original_max_position_embeddings, 8192);
  }
}

TEST(Rope, OriginalLengthComesFromTheTopLevelFirstAndFromTheLengthLast) {
  EXPECT_EQ(small_model({{"rope_scaling", kLlama3}, {"original_max_position_embeddings", 64}})
                .rope.original_max_position_embeddings,
            64);
  EXPECT_EQ(
      small_model({{"rope_scaling", with_key(kLlama3, "original_max_position_embeddings", nullptr)},
                   {"max_position_embeddings", 333}})
          .rope.original_max_position_embeddings,
      333);
}

TEST(Rope, OtherKindsAreRefusedByName) {
  for (const char* kind : {"yarnish", "yarn", "linear", "dynamic", "longrope"})
    EXPECT_THAT(failure_with({{"rope_parameters", {{"rope_type", kind}}}}),
                AllOf(HasSubstr("unsupported: "), HasSubstr("rope_parameters, key rope_type"),
                      HasSubstr(kind)));
  EXPECT_THAT(failure_with({{"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}}}),
              AllOf(HasSubstr("unsupported: "), HasSubstr("rope_scaling, key type"),
                    HasSubstr("'linear'")));
  EXPECT_THAT(failure_with({{"partial_rotary_factor", 0.5}}), HasSubstr("partial_rotary_factor"));
}

TEST(Rope, RefusesImpossibleSettings) {
  EXPECT_THAT(failure_with({{"rope_scaling", {{"rope_type", "llama3"}}}}),
              HasSubstr("rope_scaling, key factor: the key is missing"));
  EXPECT_THAT(failure_with({{"rope_scaling", with_key(kLlama3, "factor", 0.5)}}),
              HasSubstr("is below 1"));
  EXPECT_THAT(failure_with({{"rope_scaling", with_key(kLlama3, "high_freq_factor", 1.0)}}),
              HasSubstr("is not above low_freq_factor"));
  EXPECT_THAT(failure_with({{"rope_theta", 0}}), HasSubstr("rope_theta"));
  EXPECT_THAT(failure_with({{"rope_theta", "10000"}}), HasSubstr("a number is needed"));
  EXPECT_THAT(failure_with({{"rope_scaling", 8}}), HasSubstr("an object is needed here, not 8"));
}

// transformers 5.24: LlamaRotaryEmbedding(config).inv_freq, head_dim 16, theta 500000.
TEST(Rope, FrequenciesOfTheDefaultKindAreThoseOfTransformers) {
  RopeConfig rope;
  rope.theta = 500000;
  const std::vector<double> expected = {
      1.0F,           0.193922758F,    0.0376060307F,   0.00729266508F,
      0.00141421345F, 0.000274248188F, 5.31829573e-05F, 1.03133852e-05F};
  EXPECT_EQ(rope.inverse_frequencies(16), expected);
}

TEST(Rope, FrequenciesOfLlama3AreThoseOfTransformers) {
  const RopeConfig rope{RopeConfig::Kind::llama3, 500000, 8, 1, 4, 8192};
  const std::vector<double> expected = {1.0F,
                                        0.193922758F,
                                        0.0376060307F,
                                        0.00729266508F,
                                        0.000524846022F,
                                        3.42810235e-05F,
                                        6.64786967e-06F,
                                        1.28917316e-06F};
  const std::vector<double> frequencies = rope.inverse_frequencies(16);
  ASSERT_EQ(frequencies.size(), expected.size());
  for (size_t j = 0; j < expected.size(); ++j)
    EXPECT_NEAR(frequencies[j], expected[j], 3e-7 * expected[j]) << j;
}

}  // namespace
}  // namespace burnish
