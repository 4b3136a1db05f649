// The cache must not change what is generated.
#include "generate/generator.h"

#include <ATen/ops/from_blob.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "engine/walk.h"
#include "format/utf8.h"
#include "tiny_model.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

fs::path tiny_llama() {
  static const fs::path folder = testing_tools::make_tiny_llama(
      fs::path(testing::TempDir()) / ("burnish_generate_" + std::to_string(::getpid())));
  return folder;
}

class Generation : public testing::Test {
 protected:
  ModelSource source_ = resolve_model(tiny_llama().string());
  std::unique_ptr<Model> model_ = load_model(source_, {});
  TextFiles text_ = load_text(source_);
};

// Greedy continuation by whole forwards without a cache.
std::vector<int32_t> continue_without_cache(const Model& model, std::vector<int32_t> ids,
                                            size_t count, const std::set<int32_t>& stop) {
  std::vector<int32_t> made;
  while (made.size() < count) {
    std::vector<int64_t> wide(ids.begin(), ids.end());
    const auto T = static_cast<int64_t>(wide.size());
    const at::Tensor logits = forward_logits(model, at::from_blob(wide.data(), {T}, at::kLong),
                                             Segments({0, static_cast<int32_t>(T)}), nullptr, true);
    const float* data = logits.const_data_ptr<float>();
    const auto id = static_cast<int32_t>(std::max_element(data, data + logits.numel()) - data);
    if (stop.contains(id)) break;
    ids.push_back(id);
    made.push_back(id);
  }
  return made;
}

TEST_F(Generation, CacheGivesTheTokensOfWholeForwards) {
  Generator generator(*model_, text_);
  SamplingOptions options;
  options.max_tokens = 40;
  for (const std::vector<int32_t>& prompt :
       std::vector<std::vector<int32_t>>{{627, 431, 198, 40}, {627, 431, 198, 40, 70, 77}, {5}}) {
    const auto made = generator.continue_ids(prompt, options, {});
    EXPECT_EQ(made, continue_without_cache(*model_, prompt, 40, generator.stop_ids()));
  }
}

TEST_F(Generation, StopsAtTheTemplatesEndOfTurn) {
  const Generator generator(*model_, text_);
  EXPECT_TRUE(generator.stop_ids().contains(628));  // <|im_end|>
}

TEST_F(Generation, StreamsWholeCharactersThatAddUpToTheAnswer) {
  Generator generator(*model_, text_);
  SamplingOptions options;
  options.temperature = 3.0;  // odd bytes, on purpose
  options.max_tokens = 60;
  std::string streamed;
  const std::string answer = generator.answer({{{"role", "user"}, {"content", "Why?"}}}, options,
                                              [&](const std::string& part) { streamed += part; });
  EXPECT_EQ(streamed, answer);
  EXPECT_TRUE(is_utf8(answer));
}

TEST_F(Generation, RefusesMoreThanTheModelReads) {
  Generator generator(*model_, text_);
  EXPECT_THROW(generator.continue_ids(std::vector<int32_t>(600, 5), {}, {}), Error);
  EXPECT_THROW(generator.continue_ids({}, {}, {}), Error);
}

}  // namespace
}  // namespace burnish
