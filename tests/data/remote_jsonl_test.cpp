// JSON lines of a data set on the hub, read as a stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "data/jsonl.h"
#include "format/bytes_helper.h"
#include "hub/server_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_hub::FakeHub;
using testing_hub::Reply;
using testing_hub::Request;
using testing_hub::Server;

const std::string kName = "hf://datasets/org/name/chat.jsonl";

class RemoteJsonl : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(home);
    ::setenv("HF_ENDPOINT", server.url().c_str(), 1);
    ::setenv("HF_HOME", home.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("HF_ENDPOINT");
    ::unsetenv("HF_HOME");
  }

  static std::string row(const std::string& text) { return R"({"text":")" + text + "\"}"; }
  RowsOfFile read(const std::string& content, Hash* hash = nullptr) {
    hub.files["chat.jsonl"] = {content};
    return read_jsonl(kName, {}, hash);
  }
  std::string failure(const std::string& content) {
    return testing_bytes::failure_of([&] { read(content); });
  }

  FakeHub hub;
  Server server{[this](const Request& request) { return hub(request); }};
  const fs::path home = testing_bytes::scratch("remote_jsonl_home");
};

// Lines that end anywhere in the windows, one longer than a window, blank ones, none at the end.
TEST_F(RemoteJsonl, GivesTheRowsOfTheFile) {
  std::vector<std::string> texts;
  for (int i = 0; i < 3'000; ++i) texts.push_back(std::to_string(i) + std::string(i % 3'001, 'a'));
  texts.emplace_back(size_t{9} << 20, 'b');
  texts.emplace_back("last");
  std::string content = "\xEF\xBB\xBF\n";
  for (const std::string& text : texts) content += row(text) + (text == "last" ? "" : "\r\n\n");
  Hash hash(HashKind::sha256);
  const RowsOfFile result = read(content, &hash);
  ASSERT_EQ(result.rows.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(result.rows[i].text, texts[i]);
    ASSERT_EQ(result.rows[i].where.file, kName);
    ASSERT_EQ(result.rows[i].where.line, 2 + 2 * static_cast<int64_t>(i));
  }
  EXPECT_EQ(hash.hex(), sha256_of(content));
  EXPECT_FALSE(fs::exists(home));
}

TEST_F(RemoteJsonl, NamesTheLineOfABadRow) {
  EXPECT_THAT(failure(row("a") + "\n{\"text\": oops}\n"),
              AllOf(HasSubstr("data: "), HasSubstr(kName + ":2")));
  EXPECT_THAT(failure(""), HasSubstr("no rows"));
  EXPECT_THAT(failure("\n \n"), HasSubstr("no rows"));
}

TEST_F(RemoteJsonl, RefusesWhatIsNoStreamOfLines) {
  EXPECT_THAT(failure("[" + row("a") + "]"), HasSubstr("JSON array"));
  EXPECT_THAT(failure("PAR1xxxx"), HasSubstr("Parquet"));
}

TEST_F(RemoteJsonl, HoldsTheBytesAgainstTheHubsHash) {
  const std::string good = row("abcdef") + "\n", bad = row("abcdeX") + "\n";
  hub.instead = [&](const Request& request, int) -> std::optional<Reply> {
    if (!request.path.ends_with("/chat.jsonl")) return std::nullopt;
    return hub.file_reply(request, bad);
  };
  EXPECT_THAT(failure(good), AllOf(HasSubstr("io: "), HasSubstr(testing_hub::git_sha1(good))));
}

}  // namespace
}  // namespace burnish
