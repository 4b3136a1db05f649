// `burnish text` and `burnish data` on a small tokenizer, against what the cases say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "cli/run_helper.h"

namespace burnish {
namespace {
using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::string kTokenizer = BURNISH_TEST_DATA "/cases/shared/tok-bpe";

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(TextCommand, EncodesStdinWithOffsetsInCharacters) {
  const Finished done = run_burnish(
      {"text", "encode", "--tokenizer", kTokenizer, "--offsets", "--json"}, "é🙂<|im_end|>x");
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  const Json line = Json::parse(done.out);
  ASSERT_EQ(line.at("ids").size(), line.at("offsets").size());
  const size_t control = line.at("ids").size() - 2;
  EXPECT_EQ(line["ids"][control], 628);
  EXPECT_EQ(line["offsets"][control], Json({2, 12}));
  EXPECT_EQ(line["offsets"][control + 1], Json({12, 13}));
}

TEST(TextCommand, DecodesWhatItEncoded) {
  const std::string text = "Hello wörld 🙂";
  const Finished encoded =
      run_burnish({"text", "encode", "--tokenizer", kTokenizer, "--json"}, text);
  const Finished decoded =
      run_burnish({"text", "decode", "--tokenizer", kTokenizer, "--json"}, encoded.out);
  EXPECT_EQ(Json::parse(decoded.out).at("text"), text);
}

TEST(TextCommand, ARowThatFailsIsAnErrorRow) {
  const Finished done = run_burnish(
      {"text", "decode", "--tokenizer", kTokenizer, "--json"},
      "{\"ids\": [628]}\n{\"ids\": [-1]}\nnot json\n{\"ids\": [1e9]}\n\n{\"ids\": [628]}\n");
  EXPECT_EQ(done.code, 4);
  const auto lines = lines_of(done.out);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].at("text"), "<|im_end|>");
  EXPECT_EQ(lines[1].at("error").at("code"), "data");
  EXPECT_EQ(lines[2].at("error").at("code"), "data");
  EXPECT_THAT(lines[2].at("error").at("where"), HasSubstr("stdin:3"));
  EXPECT_EQ(lines[3].at("error").at("code"), "data");
  EXPECT_EQ(lines[4].at("text"), "<|im_end|>");
}

TEST(TextCommand, RendersWithOrigins) {
  const Finished done = run_burnish({"text", "render", "--tokenizer", kTokenizer, "--origins",
                                     "--add-generation-prompt", "--json"},
                                    "{\"messages\": [{\"role\": \"user\", \"content\": \"é!\"}]}");
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  const Json line = Json::parse(done.out);
  EXPECT_EQ(line.at("text"), "<|im_start|>user\né!<|im_end|>\n<|im_start|>assistant\n");
  bool found = false;
  for (const Json& run : line.at("origins"))
    if (run.at("part") == "content") {
      found = true;
      EXPECT_EQ(run.at("span"), Json({17, 19}));
      EXPECT_EQ(run.at("message"), 0);
    }
  EXPECT_TRUE(found);
}

TEST(DataCommand, InspectsWithoutARecipe) {
  const std::string file = scratch_folder() + "/d.jsonl";
  write_text_file(file,
                  "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": "
                  "\"assistant\", \"content\": \"b\"}]}\n{\"messages\": [{\"role\": \"user\", "
                  "\"content\": \"a\"}]}\n");
  const Finished done =
      run_burnish({"data", "inspect", "--model", kTokenizer, "--data", file, "--json"});
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  const auto lines = lines_of(done.out);
  ASSERT_EQ(lines.size(), 2U);
  const Json& whole = lines[0];
  EXPECT_EQ(whole.at("line"), 1);
  EXPECT_EQ(whole.at("text"),
            "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n");
  Json trained = Json::array();
  for (const Json& label : whole.at("labels"))
    if (label != -100) trained.push_back(label);
  ASSERT_EQ(trained.size(), 2U);
  EXPECT_EQ(trained[1], 628);
  EXPECT_THAT(lines[1].at("dropped"), HasSubstr("no assistant turn"));
}

}  // namespace
}  // namespace burnish
