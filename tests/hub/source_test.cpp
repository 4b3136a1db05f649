#include "hub/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/bytes_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

fs::path folder_with(const std::string& name, std::initializer_list<const char*> files) {
  const fs::path folder = scratch("hub_" + name);
  for (const char* file : files) {
    fs::create_directories((folder / file).parent_path());
    write_bytes(folder / file, "{}");
  }
  return folder;
}

std::string failure_for(const std::string& text) {
  return failure_of([&] { resolve_model(text); });
}

TEST(ResolveModel, TakesAFolderWithConfigAndWeights) {
  for (const char* weights : {"model.safetensors", "model.safetensors.index.json"}) {
    const fs::path folder = folder_with(weights, {"config.json", weights});
    const ModelSource source = resolve_model(folder.string());
    EXPECT_EQ(source.kind, ModelSource::Kind::folder);
    EXPECT_EQ(source.path, folder);
  }
}

TEST(ResolveModel, TakesAGgufFile) {
  const fs::path file = folder_with("gguf", {"model.Q8_0.gguf"}) / "model.Q8_0.gguf";
  const ModelSource source = resolve_model(file.string());
  EXPECT_EQ(source.kind, ModelSource::Kind::gguf);
  EXPECT_EQ(source.path, file);
}

TEST(ResolveModel, TakesTheModelOfAFinishedRun) {
  const fs::path run =
      folder_with("run", {"recipe.yaml", "model/config.json", "model/model.safetensors"});
  EXPECT_EQ(resolve_model(run.string()).path, run / "model");
}

TEST(ResolveModel, SaysThatARunIsNotFinished) {
  EXPECT_THAT(failure_for(folder_with("unfinished", {"recipe.yaml"}).string()),
              AllOf(HasSubstr("model: "), HasSubstr("not finished"), HasSubstr("Resume")));
}

TEST(ResolveModel, SaysWhatAFolderLacks) {
  EXPECT_THAT(failure_for(folder_with("empty", {"readme.txt"}).string()),
              AllOf(HasSubstr("model: "), HasSubstr("no config.json")));
  EXPECT_THAT(failure_for(folder_with("no_weights", {"config.json"}).string()),
              AllOf(HasSubstr("model: "), HasSubstr("no model.safetensors")));
  EXPECT_THAT(failure_for(folder_with("pickle", {"config.json", "pytorch_model.bin"}).string()),
              AllOf(HasSubstr("model: "), HasSubstr("pytorch_model.bin"), HasSubstr("Convert")));
  EXPECT_THAT(failure_for(folder_with("has_gguf", {"x.gguf"}).string()),
              HasSubstr("Name the file itself"));
}

TEST(ResolveModel, SaysThatNothingIsThere) {
  EXPECT_THAT(failure_for("/no/such/model"),
              AllOf(HasSubstr("io: "), HasSubstr("/no/such/model: there is no such file")));
  EXPECT_THAT(failure_for("missing.gguf"), HasSubstr("io: "));
  EXPECT_THAT(failure_for(""), HasSubstr("io: "));
  EXPECT_THAT(failure_for(std::string(10'000, 'x')), HasSubstr("io: "));
}

TEST(ResolveModel, NamesOfTheHubAreNotFetchedYet) {
  EXPECT_THAT(failure_for("SomeOrg/Some-Model-1B@main"),
              AllOf(HasSubstr("unsupported: "), HasSubstr("hf download SomeOrg/Some-Model-1B ")));
  // a path into a folder that is here is a path
  const fs::path before = fs::current_path();
  fs::current_path(folder_with("cwd", {"runs/x"}));
  EXPECT_THAT(failure_for("runs/smollm2"), HasSubstr("io: "));
  fs::current_path(before);
}

TEST(ResolveModel, OtherFilesAreNoModels) {
  const fs::path folder = folder_with("other", {"model.safetensors", "notes.txt"});
  EXPECT_THAT(failure_for((folder / "notes.txt").string()),
              AllOf(HasSubstr("model: "), HasSubstr("this file is no model")));
  EXPECT_THAT(failure_for((folder / "model.safetensors").string()),
              HasSubstr("Name the folder that holds it"));
}

}  // namespace
}  // namespace burnish
