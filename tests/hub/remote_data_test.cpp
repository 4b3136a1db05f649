// Files of data sets that are read by ranges.
#include "hub/remote_data.h"

#include "hub/hub_fixture.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_hub;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HubRemoteData : public HubTest {
 protected:
  void SetUp() override {
    HubTest::SetUp();
    hub.files["data/a.bin"] = {content, true};
  }
  RemoteDataName name(const std::string& path = "data/a.bin") const {
    return parse_remote_data("hf://datasets/org/name/" + path);
  }
  std::string part(RemoteData& data, uint64_t offset, size_t size) const {
    std::string bytes(size, '\0');
    data.read(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }
  std::string failure_of_read(uint64_t offset, size_t size) const {
    RemoteData data(name(), settings);
    return testing_bytes::failure_of([&] { part(data, offset, size); });
  }
  static bool is_content(const Request& request) { return request.path.ends_with("/data/a.bin"); }

  const std::string content = some_bytes(100'000);
};

TEST_F(HubRemoteData, ReadsWhatIsAskedForAndWritesNothing) {
  RemoteData data(name(), settings);
  EXPECT_EQ(data.size(), content.size());
  EXPECT_EQ(data.hash(), sha256(content));
  EXPECT_EQ(part(data, 0, 10), content.substr(0, 10));
  EXPECT_EQ(part(data, 54'321, 4'000), content.substr(54'321, 4'000));
  EXPECT_EQ(part(data, 99'999, 1), content.substr(99'999));
  EXPECT_EQ(part(data, 100'000, 0), "");
  EXPECT_EQ(part(data, 0, 100'000), content);
  EXPECT_EQ(requests_of("data/a.bin")[1].header("range"), "bytes=54321-58320");
  EXPECT_THAT(requests_of("data/a.bin"), SizeIs(4));
  EXPECT_FALSE(fs::exists(settings.cache));
}

TEST_F(HubRemoteData, GoesOnWhereAConnectionWasCut) {
  hub.instead = [&](const Request& request, int count) -> std::optional<Reply> {
    if (!is_content(request) || count > 3) return std::nullopt;
    Reply cut = hub.file_reply(request, content);
    cut.bytes.resize(cut.bytes.find("\r\n\r\n") + 4 + 1'000);
    return cut;
  };
  RemoteData data(name(), settings);
  EXPECT_EQ(part(data, 100, 50'000), content.substr(100, 50'000));
  const auto requests = requests_of("data/a.bin");
  ASSERT_THAT(requests, SizeIs(5));
  EXPECT_EQ(requests[4].header("range"), "bytes=4100-50099");
}

TEST_F(HubRemoteData, TriesAgainAndGivesUp) {
  int refused = 2;
  hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
    if (!is_content(request) || refused-- <= 0) return std::nullopt;
    return reply(503, "");
  };
  RemoteData data(name(), settings);
  EXPECT_EQ(part(data, 7, 5), content.substr(7, 5));
  refused = 1'000;
  EXPECT_THAT(failure_of_read(7, 5), AllOf(HasSubstr("io: "), HasSubstr("503")));
  EXPECT_EQ(refused, 1'000 - 5);
}

TEST_F(HubRemoteData, AWholeFileServesOnlyFromItsBeginning) {
  hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
    if (!is_content(request)) return std::nullopt;
    return reply(200, content);
  };
  RemoteData data(name(), settings);
  EXPECT_EQ(part(data, 0, 10), content.substr(0, 10));
  EXPECT_THAT(failure_of_read(10, 10), AllOf(HasSubstr("io: "), HasSubstr("the whole file")));
}

TEST_F(HubRemoteData, RefusesAnotherPartOrAnotherFile) {
  for (const std::string range : {"bytes 11-20/100000", "bytes 10-19/100001", "bytes", "", "10"}) {
    hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
      if (!is_content(request)) return std::nullopt;
      return reply(206, content.substr(10, 10), {"Content-Range: " + range});
    };
    EXPECT_THAT(failure_of_read(10, 10), AllOf(HasSubstr("io: "), HasSubstr("not the one")))
        << range;
  }
}

TEST_F(HubRemoteData, TheTokenDoesNotFollowToAnotherHost) {
  Server other([&](const Request& request) { return hub.file_reply(request, content); });
  hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
    if (!is_content(request)) return std::nullopt;
    return reply(302, "", {"Location: " + other.url() + "/blob"});
  };
  settings.token = "hf_secret";
  RemoteData data(name(), settings);
  EXPECT_EQ(part(data, 10, 10), content.substr(10, 10));
  EXPECT_EQ(requests_of("data/a.bin").front().header("authorization"), "Bearer hf_secret");
  ASSERT_THAT(other.requests(), SizeIs(1));
  EXPECT_EQ(other.requests().front().header("authorization"), "");
}

TEST_F(HubRemoteData, SaysWhatIsMissing) {
  EXPECT_THAT(testing_bytes::failure_of([&] { RemoteData(name("data/b.bin"), settings); }),
              AllOf(HasSubstr("io: "), HasSubstr("data/b.bin")));
  settings.offline = true;
  EXPECT_THAT(testing_bytes::failure_of([&] { RemoteData(name(), settings); }),
              AllOf(HasSubstr("HF_HUB_OFFLINE"), HasSubstr("burnish hub get org/name --dataset")));
}

TEST_F(HubRemoteData, IsPinnedToTheCommitOfNow) {
  const std::string pinned = "hf://datasets/org/name@" + kCommit + "/data/a.bin";
  EXPECT_EQ(pinned_remote_data("hf://datasets/org/name/data/a.bin", settings), pinned);
  EXPECT_EQ(pinned_remote_data("hf://datasets/org/name@v1/data/a.bin", settings), pinned);
  server.forget_requests();
  settings.offline = true;
  EXPECT_EQ(pinned_remote_data(pinned, settings), pinned);
  EXPECT_THAT(server.requests(), IsEmpty());
  EXPECT_THAT(testing_bytes::failure_of(
                  [&] { pinned_remote_data("hf://datasets/org/name/data/a.bin", settings); }),
              HasSubstr("HF_HUB_OFFLINE"));
}

TEST(RemoteDataName, IsReadStrictly) {
  const RemoteDataName name = parse_remote_data("hf://datasets/org/name@v1/a/b.jsonl");
  EXPECT_EQ(name.name.repository.name, "org/name");
  EXPECT_EQ(name.name.repository.kind, Repository::Kind::dataset);
  EXPECT_EQ(name.name.revision, "v1");
  EXPECT_EQ(name.path, "a/b.jsonl");
  EXPECT_EQ(name.text(), "hf://datasets/org/name@v1/a/b.jsonl");
  EXPECT_EQ(parse_remote_data("hf://datasets/org/name/b.jsonl").name.revision, "main");
  for (const std::string wrong :
       {"datasets/org/name/b.jsonl", "hf://", "hf://datasets/", "hf://datasets/org/name",
        "hf://datasets/org/name/", "hf://org/name/b.jsonl", "hf://models/org/name/b.jsonl",
        "hf://datasets/org/name/../b", "hf://datasets/org/name//b", "hf://datasets/org/na me/b",
        "hf://datasets/org/name@/b", "hf://datasets/org/name@a..b/c", "hf://datasets//name/b",
        "hf://datasets/org/name/a\nb"})
    EXPECT_THAT(testing_bytes::failure_of([&] { parse_remote_data(wrong); }), HasSubstr("usage: "))
        << wrong;
}

}  // namespace
}  // namespace burnish
