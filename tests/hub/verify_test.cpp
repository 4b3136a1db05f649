#include "hub/verify.h"

#include "hub/cache.h"
#include "hub/hub_fixture.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_hub;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HubVerify : public HubTest {
 protected:
  Verification verify() {
    return verify_repository(
        settings.cache, repository, [](const fs::path&) {}, [] { return true; });
  }
  const Repository repository{Repository::Kind::model, "org/name"};
};

TEST_F(HubVerify, FindsNothingWhereAllIsWell) {
  fetch();
  const Verification found = verify();
  EXPECT_THAT(found.broken, IsEmpty());
  EXPECT_EQ(found.files, 3);
  EXPECT_EQ(found.bytes, 300'000U + hub.files["config.json"].content.size() + 2);
}

TEST_F(HubVerify, FindsAChangedByteInBothKindsOfBlobs) {
  fetch();
  for (const char* path : {"model.safetensors", "tokenizer.json"}) {
    std::string content = read_text_file(blob(path));
    content[0] ^= 1;
    testing_bytes::write_bytes(blob(path), content);
  }
  const Verification found = verify();
  ASSERT_THAT(found.broken, SizeIs(2));
  for (const auto& broken : found.broken) EXPECT_THAT(broken.what, HasSubstr("has the hash"));
}

TEST_F(HubVerify, FindsWhatIsGoneOrExchanged) {
  fetch();
  fs::remove(blob("model.safetensors"));
  const fs::path link = folder() / "snapshots" / kCommit / "config.json";
  fs::remove(link);
  fs::create_symlink(fs::path("../../blobs") / hash_of(hub.files["tokenizer.json"]), link);
  const Verification found = verify();
  ASSERT_THAT(found.broken, SizeIs(2));
  EXPECT_EQ(found.broken[0].what, "its blob is gone");
  EXPECT_EQ(found.broken[1].file, link);
}

TEST_F(HubVerify, UnfinishedAndForeignBlobsAreNoFaults) {
  fetch();
  testing_bytes::write_bytes(folder() / "blobs" / (std::string(64, 'a') + ".incomplete"), "x");
  testing_bytes::write_bytes(folder() / "blobs" / "an-etag", "x");
  const Verification found = verify();
  EXPECT_THAT(found.broken, IsEmpty());
  EXPECT_EQ(found.unfinished, 1);
  EXPECT_EQ(found.unknown, 1);
}

TEST_F(HubVerify, TheCacheSaysWhatItHolds) {
  fetch("org/name@v1");
  fetch("org/name", Wanted::everything);
  EXPECT_THAT(cached_repositories(settings.cache),
              ElementsAre(repository, Repository{Repository::Kind::dataset, "org/name"}));
  const auto revisions = RepositoryCache(settings.cache, repository).revisions();
  ASSERT_THAT(revisions, SizeIs(1));
  EXPECT_EQ(revisions[0].commit, kCommit);
  EXPECT_THAT(revisions[0].refs, ElementsAre("v1"));
  EXPECT_EQ(revisions[0].files, 3);
  EXPECT_THAT(cached_repositories(settings.cache / "nothing"), IsEmpty());
}

}  // namespace
}  // namespace burnish
