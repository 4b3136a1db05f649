// `burnish recipe import` as a user types it: streams, exit codes, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/run_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string example(const std::string& name) {
  return std::string(BURNISH_TEST_DATA "/recipe/import/") + name;
}

TEST(ImportCommand, PrintsARecipeThatCheckAccepts) {
  const Finished imported = run_burnish({"recipe", "import", example("trl_sft.yaml")});
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, AllOf(StartsWith("# Imported from "), HasSubstr("(TRL).\n")));
  EXPECT_THAT(imported.err,
              AllOf(HasSubstr("mapped\n"),
                    HasSubstr("  learning_rate: 2.0e-4 -> optimizer.learning_rate: 2.0e-04"),
                    HasSubstr("no effect\n  attn_implementation: flash_attention_2: "),
                    HasSubstr("adam_beta1: 0.9 (TRL's default) -> optimizer.betas: [0.9, 0.999]")));
  const std::string file = scratch_folder() + "/r.yaml";
  std::ofstream(file) << imported.out;
  EXPECT_EQ(run_burnish({"recipe", "check", file}).code, 0);
}

TEST(ImportCommand, RefusalsWriteNothing) {
  const std::string file = scratch_folder() + "/r.yaml";
  const Finished refused =
      run_burnish({"recipe", "import", example("trl_refused.yaml"), "--output", file});
  EXPECT_EQ(refused.code, 6);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_THAT(refused.err, AllOf(HasSubstr("refused\n"), HasSubstr("neftune_noise_alpha: 5: noise"),
                                 HasSubstr("keys are refused\n"), HasSubstr("--skip-refused")));
  const Finished skipped = run_burnish({"recipe", "import", example("trl_refused.yaml"), "--output",
                                        file, "--skip-refused", "--set", "data.train=chat.jsonl"});
  EXPECT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_THAT(skipped.out, IsEmpty());
  EXPECT_THAT(read_text_file(file), HasSubstr("#   neftune_noise_alpha: 5 ("));
  EXPECT_EQ(run_burnish({"recipe", "check", file}).code, 0);
}

TEST(ImportCommand, JsonHasEachKey) {
  const Finished imported = run_burnish({"recipe", "import", example("trl_sft.yaml"), "--json"});
  EXPECT_EQ(imported.code, 0) << imported.err;
  const auto line = nlohmann::json::parse(imported.out);
  EXPECT_EQ(line.at("ok"), true);
  EXPECT_EQ(line.at("format"), "TRL");
  EXPECT_THAT(line.at("recipe").get<std::string>(), HasSubstr("global_batch_rows: 32"));
  EXPECT_EQ(line.at("keys").at(0).at("key"), "model_name_or_path");
  EXPECT_EQ(line.at("keys").at(0).at("outcome"), "mapped");
  EXPECT_EQ(line.at("keys").at(0).at("became"), "model.source: SmolLM2-135M-Instruct");

  const Finished refused = run_burnish({"recipe", "import", example("trl_refused.yaml"), "--json"});
  EXPECT_EQ(refused.code, 6);
  EXPECT_EQ(nlohmann::json::parse(refused.out.substr(0, refused.out.find('\n'))).at("ok"), false);
  EXPECT_THAT(refused.out, HasSubstr("\n{\"error\":{\"code\":\"unsupported\""));
}

TEST(ImportCommand, AcceleratesFileStandsBeside) {
  const Finished imported = run_burnish({"recipe", "import", example("trl_sft.yaml"),
                                         "--accelerate", example("accelerate_fsdp.yaml")});
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("global_batch_rows: 256"));
}

TEST(ImportCommand, MistakesHaveTheirExitCode) {
  EXPECT_EQ(run_burnish({"recipe", "import", "/no/such.yaml"}).code, 7);
  EXPECT_EQ(run_burnish({"recipe", "import", example("trl_sft.yaml"), "--format", "x"}).code, 2);
  EXPECT_EQ(run_burnish({"recipe", "import", example("trl_sft.yaml"), "--processes", "0"}).code, 2);
  const Finished other =
      run_burnish({"recipe", "import", example("trl_sft.yaml"), "--format", "axolotl"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("axolotl has no key `model_name_or_path`"),
                               HasSubstr("trl_sft.yaml:2:1"), Not(HasSubstr("mapped"))));
  const std::string own = scratch_folder() + "/c.yaml";
  fs::copy_file(example("trl_sft.yaml"), own);
  EXPECT_EQ(run_burnish({"recipe", "import", own, "--output", own}).code, 2);
}

}  // namespace
}  // namespace burnish
