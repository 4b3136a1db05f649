// What every command owes its user: help, exit codes, errors in three parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/run_helper.h"

namespace burnish {
namespace {
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kExample = BURNISH_TEST_DATA "/../../recipes/smollm2-chat.yaml";

std::string write_recipe(const std::string& yaml) {
  const std::string file = scratch_folder() + "/r.yaml";
  write_text_file(file, yaml);
  return file;
}

TEST(CommandLine, VersionAndHelp) {
  const std::string version = run_burnish({"--version"}).out;
  EXPECT_THAT(version, StartsWith("burnish 0."));
  for (const char* library :
       {"CLI11", "compiler", "curl", "fmt", "highway", "libtorch", "openssl", "nlohmann_json",
        "pcre2", "simdjson", "spdlog", "utf8proc", "yaml-cpp"})
    EXPECT_THAT(version, ContainsRegex("\n  " + std::string(library) + " +[A-Z]*[ ]*[0-9]+\\."));
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{},
                                             {"train"},
                                             {"chat"},
                                             {"doctor"},
                                             {"data"},
                                             {"data", "inspect"},
                                             {"data", "convert"},
                                             {"data", "convert", "chatterbot"},
                                             {"text"},
                                             {"text", "encode"},
                                             {"text", "decode"},
                                             {"text", "render"},
                                             {"model"},
                                             {"model", "show"},
                                             {"model", "run"},
                                             {"recipe"},
                                             {"recipe", "show"},
                                             {"recipe", "check"},
                                             {"recipe", "diff"},
                                             {"recipe", "import"},
                                             {"recipe", "keys"}}) {
    std::vector<std::string> words = command;
    words.push_back("--help");
    const Finished help = run_burnish(words);
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_THAT(help.out, HasSubstr("Example:\n  ")) << (command.empty() ? "" : command.back());
    EXPECT_THAT(help.err, IsEmpty());
  }
}

TEST(CommandLine, UnknownWordsGetTheNearestRightOne) {
  EXPECT_EQ(run_burnish({"trian", "x"}).err,
            "error: there is no command `trian`\n  where: burnish\n  to do: did you mean `burnish "
            "train`?\n");
  EXPECT_THAT(run_burnish({"recipe", "chek", "x"}).err, HasSubstr("`burnish recipe check`"));
  EXPECT_THAT(
      run_burnish({"recipe", "check", "x", "--jsn"}).err,
      HasSubstr("there is no option `--jsn`\n  where: burnish recipe check\n  to do: did you "
                "mean `--json`?"));
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{},
                                             {"trian"},
                                             {"train"},
                                             {"recipe"},
                                             {"recipe", "check", "x", "--jsn"},
                                             {"recipe", "show", kExample, "--set", "x"},
                                             {"chat", "m", "--top-p", "2"},
                                             {"text", "render"},
                                             {"data", "inspect"}})
    EXPECT_EQ(run_burnish(wrong).code, 2) << (wrong.empty() ? "" : wrong.back());
}

TEST(CommandLine, ErrorsHaveThreePartsAndAnExitCodeOfTheirKind) {
  const std::string file = write_recipe("model: {source: m}\ndata: {train: [a]}\noptimiser: {}\n");
  const Finished wrong = run_burnish({"recipe", "check", file});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_EQ(wrong.err, "error: there is no key `optimiser`\n  where: " + file +
                           ":3:1\n  to do: did you mean `optimizer`?\n");
  EXPECT_EQ(run_burnish({"recipe", "check", "/no/such.yaml"}).code, 7);
  EXPECT_EQ(run_burnish({"recipe", "check", kExample, "--set", "layout.tp=2"}).code, 6);
}

TEST(CommandLine, ErrorsAsJson) {
  const Finished wrong = run_burnish({"recipe", "check", "/no/such.yaml", "--json"});
  EXPECT_EQ(wrong.code, 7);
  EXPECT_THAT(wrong.err, IsEmpty());
  const Json error = Json::parse(wrong.out).at("error");
  EXPECT_EQ(error.at("code"), "io");
  EXPECT_EQ(error.at("where"), "/no/such.yaml");
  EXPECT_THAT(error.at("what"), HasSubstr("cannot open"));
  EXPECT_TRUE(error.contains("advice"));
}

TEST(CommandLine, NoColoursWithoutATerminal) {
  EXPECT_THAT(run_burnish({"trian"}).err, Not(HasSubstr("\033")));
}

TEST(CommandLine, CommandsWithoutTensorsStartAtOnce) {
  using Clock = std::chrono::steady_clock;
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"--help"}, {"recipe", "check", kExample}, {"data", "--help"}, {"text", "--help"}}) {
    Clock::duration best = std::chrono::seconds(1);
    for (int i = 0; i < 20; ++i) {
      const auto begin = Clock::now();
      run_burnish(command);
      best = std::min(best, Clock::now() - begin);
    }
    EXPECT_LT(best, std::chrono::milliseconds(30)) << command.front();
  }
}

TEST(RecipeCommand, ShowsWhatIsGivenAndResolvesTheRest) {
  const std::string file =
      write_recipe("train: {end: {steps: 3}}\nmodel: {source: m}\ndata: {train: a.jsonl}\n");
  const Finished given = run_burnish({"recipe", "show", file, "--set", "train.seed=4"});
  EXPECT_THAT(given.out, HasSubstr("train:\n  end:\n    steps: 3\n  seed: 4\n"));
  EXPECT_THAT(given.out, Not(HasSubstr("optimizer")));
  const std::string resolved = run_burnish({"recipe", "show", file, "--resolved"}).out;
  EXPECT_THAT(resolved, HasSubstr("learning_rate: 1.0e-05\n"));
  EXPECT_EQ(run_burnish({"recipe", "show", write_recipe(resolved), "--resolved"}).out, resolved);
}

TEST(RecipeCommand, WarnsAndCompares) {
  const Finished warned =
      run_burnish({"recipe", "check", kExample, "--set", "optimizer.schedule.name=constant"});
  EXPECT_EQ(warned.code, 0);
  EXPECT_THAT(warned.err, HasSubstr("warning: "));
  EXPECT_THAT(warned.err, HasSubstr("min_learning_rate has no effect"));
  const std::string other =
      write_recipe(run_burnish({"recipe", "show", kExample, "--set", "train.seed=7"}).out);
  EXPECT_EQ(run_burnish({"recipe", "diff", kExample, other}).out, "train.seed: 0 -> 7\n");
  EXPECT_EQ(run_burnish({"recipe", "diff", kExample, other, "--json"}).out,
            "{\"key\":\"train.seed\",\"before\":\"0\",\"after\":\"7\"}\n");
}

}  // namespace
}  // namespace burnish
