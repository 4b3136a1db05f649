#include "hub/snapshot.h"

#include <nlohmann/json.hpp>

#include "hub/hub_fixture.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_hub;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class HubSnapshot : public HubTest {};

TEST_F(HubSnapshot, LaysTheCacheOutAsOtherToolsDo) {
  const Snapshot snapshot = fetch();
  EXPECT_EQ(snapshot.commit, kCommit);
  EXPECT_EQ(snapshot.folder, folder() / "snapshots" / kCommit);
  EXPECT_EQ(read_text_file(folder() / "refs" / "main"), kCommit);
  EXPECT_EQ(fs::read_symlink(snapshot.folder / "config.json"),
            "../../blobs/" + git_sha1(hub.files["config.json"].content));
  EXPECT_EQ(fs::read_symlink(snapshot.folder / "model.safetensors"),
            "../../blobs/" + sha256(hub.files["model.safetensors"].content));
  expect_whole();
  const auto tree = nlohmann::json::parse(read_text_file(folder() / "trees" / (kCommit + ".json")));
  EXPECT_EQ(tree["format_version"], 1);
  EXPECT_EQ(tree["files"]["model.safetensors"]["lfs_sha256"],
            sha256(hub.files["model.safetensors"].content));
  EXPECT_EQ(tree["files"]["model.safetensors"]["size"], 300'000);
  EXPECT_FALSE(fs::exists(folder() / "blobs" /
                          (sha256(hub.files["model.safetensors"].content) + ".incomplete")));
}

TEST_F(HubSnapshot, FetchesWhatAModelNeeds) {
  EXPECT_THAT(fetch().files,
              UnorderedElementsAre("config.json", "model.safetensors", "tokenizer.json"));
  EXPECT_THAT(requests_of("pytorch_model.bin"), IsEmpty());
  EXPECT_THAT(fetch("org/name", Wanted::text).files,
              UnorderedElementsAre("config.json", "tokenizer.json"));
}

TEST_F(HubSnapshot, WeightsThatStandThereTwiceAreFetchedOnce) {
  hub.files = {{"config.json", {"{}"}},
               {"consolidated.safetensors", {"abc", true}},
               {"model-00001-of-00002.safetensors", {"a", true}},
               {"model-00002-of-00002.safetensors", {"b", true}},
               {"model.safetensors.index.json", {"{}"}}};
  EXPECT_THAT(fetch().files, ::testing::Not(::testing::Contains("consolidated.safetensors")));
  EXPECT_THAT(fetch().files, SizeIs(4));
}

TEST_F(HubSnapshot, WhatIsThereIsNotFetchedAgain) {
  fetch();
  server.forget_requests();
  fetch();
  EXPECT_THAT(server.requests(), SizeIs(1));  // which commit is main?
  fetch("org/name@" + kCommit);
  EXPECT_THAT(server.requests(), SizeIs(1));  // a commit is a commit
}

TEST_F(HubSnapshot, TakesPatternsAndDataSets) {
  EXPECT_THAT(fetch("org/name", Wanted::model, {"*.onnx", "conf*"}).files,
              UnorderedElementsAre("onnx/model.onnx", "config.json"));
  EXPECT_EQ(fs::read_symlink(folder() / "snapshots" / kCommit / "onnx/model.onnx"),
            "../../../blobs/" + sha256("onnx"));
  EXPECT_THAT(testing_bytes::failure_of([&] { fetch("org/name", Wanted::model, {"*.gguf"}); }),
              AllOf(HasSubstr("usage: "), HasSubstr("`*.gguf`")));
  EXPECT_THAT(fetch("org/name", Wanted::everything).files, SizeIs(5));
  EXPECT_TRUE(fs::exists(folder("datasets") / "snapshots" / kCommit / "pytorch_model.bin"));
}

TEST_F(HubSnapshot, EmptyFilesAndSameFilesAndPages) {
  hub.files["empty.txt"] = {""};
  hub.files["same.txt"] = hub.files["config.json"];
  hub.page = 2;
  EXPECT_THAT(fetch("org/name", Wanted::model, {"*"}).files, SizeIs(7));
  expect_whole("empty.txt");
  expect_whole("same.txt");
}

TEST_F(HubSnapshot, AMovedBranchMovesItsRef) {
  fetch("org/name@refs/pr/1");
  EXPECT_EQ(read_text_file(folder() / "refs" / "refs/pr/1"), kCommit);
  const std::string next(40, 'b');
  hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
    if (request.path.find("/revision/refs%2Fpr%2F1") != std::string::npos)
      return reply(200, R"({"sha":")" + next + "\"}");
    if (request.path.find("/tree/" + next) != std::string::npos) return reply(500, "");
    return std::nullopt;
  };
  EXPECT_THAT(failure("org/name@refs/pr/1"), HasSubstr("500"));
  // what is not there does not get the name
  EXPECT_EQ(read_text_file(folder() / "refs" / "refs/pr/1"), kCommit);
}

TEST_F(HubSnapshot, OfflineTakesTheCacheAlone) {
  settings.offline = true;
  EXPECT_THAT(failure(), AllOf(HasSubstr("io: org/name@main: the cache does not have it"),
                               HasSubstr("burnish hub get org/name@main")));
  EXPECT_THAT(failure("org/name@" + kCommit), HasSubstr("does not have commit"));
  settings.offline = false;
  fetch("org/name", Wanted::text);
  settings.offline = true;
  server.forget_requests();
  EXPECT_THAT(failure(), HasSubstr("1 of 3 files are not in the cache (model.safetensors)"));
  EXPECT_THAT(fetch("org/name", Wanted::text).files, SizeIs(2));
  EXPECT_THAT(server.requests(), IsEmpty());
}

TEST_F(HubSnapshot, ACacheOfOtherToolsServesOffline) {
  fetch();
  fs::remove_all(folder() / "trees");
  settings.offline = true;
  EXPECT_EQ(fetch().folder, folder() / "snapshots" / kCommit);
}

TEST_F(HubSnapshot, WithoutAnAnswerTheCacheServes) {
  fetch();
  hub.instead = [](const Request&, int) { return reply(503, ""); };
  EXPECT_EQ(fetch().commit, kCommit);
  fs::remove(folder() / "snapshots" / kCommit / "model.safetensors");
  EXPECT_THAT(failure(), HasSubstr("not in the cache (model.safetensors)"));
}

TEST_F(HubSnapshot, WithoutSafetensorsItSaysWhatIsThere) {
  hub.files = {{"config.json", {"{}"}}, {"pytorch_model.bin", {"x", true}}};
  EXPECT_THAT(failure(), AllOf(HasSubstr("model: org/name: "), HasSubstr("pytorch_model.bin"),
                               HasSubstr("save_pretrained")));
  hub.files = {{"a.Q8_0.gguf", {"x", true}}};
  fs::remove_all(settings.cache);
  EXPECT_THAT(failure(), HasSubstr("burnish hub get org/name --include 'a.Q8_0.gguf'"));
  hub.files = {};
  fs::remove_all(settings.cache);
  EXPECT_THAT(failure(), HasSubstr("empty"));
}

TEST_F(HubSnapshot, ABrokenLinkIsMadeAgain) {
  fetch();
  const fs::path link = folder() / "snapshots" / kCommit / "config.json";
  fs::remove(link);
  fs::create_symlink("../../blobs/nothing", link);
  fetch();
  expect_whole("config.json");
}

}  // namespace
}  // namespace burnish
