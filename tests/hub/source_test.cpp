#include "hub/source.h"

#include <cstdlib>

#include "hub/hub_fixture.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(ResolveModel, APathIntoAFolderThatIsHereIsAPath) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_with("cwd", {"runs/x"}));
  EXPECT_THAT(failure_for("runs/smollm2"), HasSubstr("io: runs/smollm2: there is no such file"));
  fs::current_path(before);
}

/// The hub that the environment names.
class ResolveHubModel : public testing_hub::HubTest {
 protected:
  void SetUp() override {
    HubTest::SetUp();
    fs::remove_all(home_);
    set("HF_ENDPOINT", server.url() + "/");
    set("HF_HOME", home_.string());
    for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HF_TOKEN_PATH",
                             "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"})
      set(name, "");
  }
  void TearDown() override {
    for (const std::string& name : names_) ::unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    names_.push_back(name);
  }
  fs::path home_ = scratch("hf_home");
  std::vector<std::string> names_;
};

TEST_F(ResolveHubModel, IsFetchedAndPinned) {
  fs::create_directories(home_);
  write_bytes(home_ / "token", "hf_of_the_file\n");
  const ModelSource source = resolve_model("org/name@v1");
  EXPECT_EQ(source.kind, ModelSource::Kind::folder);
  EXPECT_EQ(source.path, home_ / "hub/models--org--name/snapshots" / testing_hub::kCommit);
  EXPECT_EQ(source.repository, "org/name");
  EXPECT_EQ(source.commit, testing_hub::kCommit);
  EXPECT_TRUE(fs::exists(source.path / "model.safetensors"));
  EXPECT_EQ(server.requests()[0].header("authorization"), "Bearer hf_of_the_file");
  EXPECT_THAT(server.requests()[0].path, HasSubstr("/revision/v1"));
}

TEST_F(ResolveHubModel, ARevisionOfItsOwnGoesFirst) {
  resolve_model("org/name@v1", "refs/pr/2");
  EXPECT_THAT(server.requests()[0].path, HasSubstr("/revision/refs%2Fpr%2F2"));
  EXPECT_THAT(failure_of([] { resolve_model("org/name", "../x"); }), HasSubstr("usage: "));
  const fs::path folder = folder_with("pinned", {"config.json", "model.safetensors"});
  EXPECT_THAT(failure_of([&] { resolve_model(folder.string(), "main"); }),
              AllOf(HasSubstr("recipe: model.revision"), HasSubstr("is here on disk")));
}

TEST_F(ResolveHubModel, OfATokenizerNoWeightsAreFetched) {
  const ModelSource source = resolve_tokenizer("org/name");
  EXPECT_TRUE(fs::exists(source.path / "tokenizer.json"));
  EXPECT_FALSE(fs::exists(source.path / "model.safetensors"));
  EXPECT_EQ(source.commit, testing_hub::kCommit);
}

TEST_F(ResolveHubModel, AFolderOfThatNameGoesFirst) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_with("named", {"org/name/config.json", "org/name/model.safetensors"}));
  EXPECT_EQ(resolve_model("org/name").path, "org/name");
  fs::current_path(before);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(ResolveHubModel, OfflineAsksNobody) {
  set("HF_HUB_OFFLINE", "1");
  EXPECT_THAT(failure_for("org/name"),
              AllOf(HasSubstr("io: org/name@main"), HasSubstr("offline"), HasSubstr("hub get")));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(ResolveHubModel, TheEnvironmentIsChecked) {
  set("HF_ENDPOINT", "file:///etc");
  EXPECT_THAT(failure_for("org/name"), HasSubstr("usage: HF_ENDPOINT"));
  set("HF_ENDPOINT", "");
  set("HF_TOKEN", "hf_x\r\nHost: evil");
  EXPECT_THAT(failure_for("org/name"), AllOf(HasSubstr("usage: HF_TOKEN"), Not(HasSubstr("evil"))));
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
