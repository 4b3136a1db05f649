// `burnish model` and `burnish chat`: the doors through which other programs check the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "cli/run_helper.h"
#include "format/safetensors.h"
#include "tiny_model.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class ModelCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_folder();
    model_ = testing_tools::make_tiny_llama(folder_ / "model").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::map<std::string, std::vector<int64_t>>& tensors) const {
    std::vector<TensorToWrite> all;
    for (const auto& [name, values] : tensors)
      all.push_back(
          {name,
           DType::i64,
           {static_cast<int64_t>(values.size())},
           [values = values](const auto& sink) { sink(std::as_bytes(std::span(values))); }});
    const fs::path file = folder_ / "in.safetensors";
    write_safetensors(file, all, {});
    return file.string();
  }
  Finished run(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"model", "run",      model_,  "--input",
                                       input,   "--output", output()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_burnish(arguments);
  }
  std::string output() const { return (folder_ / "out.safetensors").string(); }

  template <class Number>
  std::vector<Number> read(const std::string& name) const {
    const SafetensorsFile file(output());
    const StoredTensor& tensor = *file.find(name);
    std::vector<Number> values(tensor.bytes.size() / sizeof(Number));
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    return values;
  }

  fs::path folder_;
  std::string model_;
};

TEST_F(ModelCommand, LossIsThatOfTheLogits) {
  const std::vector<int64_t> ids{5, 9, 2, 7, 7, 1}, labels{-100, 9, -100, 7, -100, 1};
  const Finished done =
      run(write({{"input_ids", ids}, {"labels", labels}}), {"--dtype", "float64"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto logits = read<double>("logits");
  const size_t V = logits.size() / ids.size();
  double sum = 0;
  for (size_t t = 1; t < ids.size(); ++t) {
    if (labels[t] == -100) continue;
    double total = 0;
    for (size_t v = 0; v < V; ++v) total += std::exp(logits[(t - 1) * V + v]);
    sum += std::log(total) - logits[(t - 1) * V + static_cast<size_t>(labels[t])];
  }
  EXPECT_NEAR(read<double>("loss").front(), sum / 3, 1e-12);
}

TEST_F(ModelCommand, GradientsHaveTheNamesOfTheCheckpoint) {
  const Finished done =
      run(write({{"input_ids", {5, 9, 2, 7}}, {"labels", {5, 9, 2, 7}}}), {"--grad"});
  ASSERT_EQ(done.code, 0) << done.err;
  const SafetensorsFile made(output()), weights(fs::path(model_) / "model.safetensors");
  for (const StoredTensor& weight : weights.tensors()) {
    const StoredTensor* gradient = made.find(weight.name);
    ASSERT_NE(gradient, nullptr) << weight.name;
    EXPECT_EQ(gradient->shape, weight.shape) << weight.name;
  }
}

TEST_F(ModelCommand, SegmentsStandAlone) {
  ASSERT_EQ(run(write({{"input_ids", {5, 9, 2, 7, 7, 1}}, {"cu_seqlens", {0, 2, 6}}})).code, 0);
  const auto packed = read<float>("logits");
  ASSERT_EQ(run(write({{"input_ids", {2, 7, 7, 1}}})).code, 0);
  const auto alone = read<float>("logits");
  for (size_t i = 0; i < alone.size(); ++i)
    ASSERT_NEAR(packed[packed.size() - alone.size() + i], alone[i], 1e-6);
}

TEST_F(ModelCommand, RefusesInputsThatAreNone) {
  const auto refused = [&](const std::string& input, const std::string& says) {
    const Finished done = run(input);
    EXPECT_EQ(done.code, exit_code(ErrorCode::data)) << done.err;
    EXPECT_THAT(done.err, HasSubstr(says));
    EXPECT_FALSE(fs::exists(output()));
  };
  refused(write({{"labels", {1, 2}}}), "input_ids");
  refused(write({{"input_ids", {1, 100000}}}), "100000");
  refused(write({{"input_ids", {1, -1}}}), "-1");
  refused(write({{"input_ids", {1, 2}}, {"labels", {1}}}), "labels");
  refused(write({{"input_ids", {1, 2}}, {"labels", {1, 70000}}}), "70000");
  refused(write({{"input_ids", {1, 2}}, {"cu_seqlens", {0, 3}}}), "cu_seqlens");
  refused(write({{"input_ids", {1, 2}}, {"cu_seqlens", {0, 2, 1, 2}}}), "cu_seqlens");
  std::ofstream(folder_ / "cut.safetensors") << "abc";
  const Finished done = run((folder_ / "cut.safetensors").string());
  EXPECT_NE(done.code, 0);
  EXPECT_THAT(done.err, HasSubstr("cut.safetensors"));
}

TEST_F(ModelCommand, ShowsTheDeclaration) {
  const Finished done = run_burnish({"model", "show", model_, "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json shown = Json::parse(done.out);
  int64_t elements = 0;
  for (const Json& tensor : shown["tensors"]) {
    int64_t n = 1;
    for (const int64_t size : tensor["shape"]) n *= size;
    elements += n;
  }
  EXPECT_EQ(shown["parameters"], elements);
  EXPECT_TRUE(shown["trainable"]);
  EXPECT_TRUE(shown["template"]);
  EXPECT_EQ(shown["types"]["F32"]["parameters"], elements);
  EXPECT_EQ(shown["bytes"], 4 * elements);
  EXPECT_EQ(shown["context_length"], shown["config"]["max_position_embeddings"]);
  EXPECT_GT(shown["tokenizer"]["tokens"], 0);

  const std::string text = run_burnish({"model", "show", model_}).out;
  for (const char* line : {"family           llama\n", "chat template    yes\n", " M\n", "F32 "})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST_F(ModelCommand, HashesTheValuesOfEachTensor) {
  const fs::path format = fs::path(BURNISH_TEST_DATA) / "format";
  const Finished done =
      run_burnish({"model", "show", (format / "blocks.gguf").string(), "--hash", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Json shown = Json::parse(done.out);
  EXPECT_FALSE(shown["trainable"]);
  const SafetensorsFile expected(format / "blocks.safetensors");
  ASSERT_EQ(shown["tensors"].size(), expected.tensors().size());
  for (const Json& tensor : shown["tensors"]) {
    const auto values = expected.find(tensor["name"].get<std::string>())->bytes;
    EXPECT_EQ(tensor["sha256"],
              sha256_of({reinterpret_cast<const char*>(values.data()), values.size()}));
    EXPECT_EQ(tensor["dtype"], tensor["name"]);
  }
}

// q and k stand in another order of rows in the file than in the family.
TEST_F(ModelCommand, ShowsTensorsAsTheFileHoldsThem) {
  const std::string file = (fs::path(BURNISH_TEST_DATA) / "declare" / "llama.gguf").string();
  const auto hashes = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"model", "show", file, "--hash", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::map<std::string, std::string> found;
    const Json shown = Json::parse(run_burnish(arguments).out);
    for (const Json& tensor : shown["tensors"])
      found[tensor["name"].get<std::string>()] = tensor["sha256"].get<std::string>();
    return found;
  };
  auto family = hashes({}), stored = hashes({"--stored"});
  EXPECT_EQ(stored.at("token_embd.weight"), family.at("model.embed_tokens.weight"));
  EXPECT_NE(stored.at("blk.0.attn_q.weight"), family.at("model.layers.0.self_attn.q_proj.weight"));
}

TEST_F(ModelCommand, ChatAnswersTheSameForTheSameSeed) {
  const auto answer = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"chat", model_, "--prompt", "Why?", "--max-tokens", "12"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished done = run_burnish(arguments);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  };
  EXPECT_EQ(answer({}), answer({"--temperature", "0"}));
  const std::vector<std::string> sampled{"--temperature", "2", "--seed", "3"};
  EXPECT_EQ(answer(sampled), answer(sampled));
  EXPECT_NE(answer(sampled), answer({"--temperature", "2", "--seed", "4"}));
  EXPECT_EQ(Json::parse(answer({"--json"}))["answer"].get<std::string>() + "\n", answer({}));
}

TEST_F(ModelCommand, ChatReadsTurnsFromStdin) {
  const std::vector<std::string> arguments{"chat", model_, "--json", "--max-tokens", "6"};
  const Finished done = run_burnish(arguments, "Why?\n\n/reset\nWhy?\nHow?\n/quit\nnever\n");
  ASSERT_EQ(done.code, 0) << done.err;
  std::vector<std::string> answers;
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line)["answer"]);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0], answers[1]);  // a conversation that starts over
}

TEST_F(ModelCommand, ChatRefusesAModelWithoutTemplate) {
  fs::remove(fs::path(model_) / "tokenizer_config.json");
  const Finished done = run_burnish({"chat", model_, "--prompt", "x"});
  EXPECT_EQ(done.code, exit_code(ErrorCode::model)) << done.err;
  EXPECT_THAT(done.err, HasSubstr("chat template"));
}

}  // namespace
}  // namespace burnish
