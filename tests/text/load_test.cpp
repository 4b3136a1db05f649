// Which file the chat template comes from.
#include "text/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

/// A folder with the tokenizer of the cases, to which a test adds templates.
class LoadText : public testing::Test {
 protected:
  LoadText()
      : folder_(fs::path(testing::TempDir()) / ("burnish_load_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const fs::path tokenizer = fs::path(BURNISH_TEST_DATA) / "cases/shared/tok-bpe/tokenizer.json";
    write_text_file(folder_ / "tokenizer.json", read_text_file(tokenizer));
  }
  ~LoadText() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    write_text_file(folder_ / name, text);
  }
  std::string source() {
    const TextFiles files = load_text({ModelSource::Kind::folder, folder_});
    return files.chat_template ? files.chat_template->source() : "none";
  }
  std::string failure() {
    try {
      return source();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::model);
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(LoadText, HasNoTemplateWithoutOne) {
  EXPECT_EQ(source(), "none");
  write("tokenizer_config.json", "{}");
  EXPECT_EQ(source(), "none");
}

TEST_F(LoadText, TakesTheConfigsText) {
  write("tokenizer_config.json", R"({"chat_template": "config"})");
  EXPECT_EQ(source(), "config");
}

TEST_F(LoadText, TakesTheDefaultOfAList) {
  write(
      "tokenizer_config.json",
      R"({"chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]})");
  EXPECT_EQ(source(), "d");
}

TEST_F(LoadText, TheFileOfItsOwnWins) {
  write("tokenizer_config.json", R"({"chat_template": "config"})");
  write("chat_template.jinja", "own");
  write("additional_chat_templates/default.jinja", "additional");
  EXPECT_EQ(source(), "own");
}

TEST_F(LoadText, AdditionalTemplatesStandInForAMissingDefault) {
  write("additional_chat_templates/tool_use.jinja", "tool");
  EXPECT_EQ(source(), "none");
  write("additional_chat_templates/default.jinja", "additional");
  EXPECT_EQ(source(), "additional");
}

TEST_F(LoadText, BrokenTemplatesAreNamed) {
  write("tokenizer_config.json", R"({"chat_template": 5})");
  EXPECT_THAT(failure(), testing::HasSubstr("tokenizer_config.json"));
  write("tokenizer_config.json",
        R"({"chat_template": [{"name": "a", "template": "x"}, {"name": "b", "template": "y"}]})");
  EXPECT_THAT(failure(), testing::HasSubstr("default"));
  write("chat_template.jinja", "a\n{{ x");
  EXPECT_THAT(failure(), testing::HasSubstr("chat_template.jinja:2:"));
}

TEST_F(LoadText, SpecialTokensAreVariables) {
  write("tokenizer_config.json",
        R"({"eos_token": "<|im_end|>", "pad_token": {"content": "<|pad|>"}})");
  const TextFiles files = load_text({ModelSource::Kind::folder, folder_});
  const auto variables = template_special_tokens(files.tokenizer);
  EXPECT_EQ(variables.at("eos_token"), "<|im_end|>");
  EXPECT_EQ(variables.at("pad_token"), "<|pad|>");
  EXPECT_FALSE(variables.contains("bos_token"));
}

}  // namespace
}  // namespace burnish
