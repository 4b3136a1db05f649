// Parquet files, made by scripts/goldens/make_parquet.py, on disk and on the hub.
#include "data/parquet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "data/rows_file.h"
#include "format/bytes_helper.h"
#include "hub/server_helper.h"
#include "parquet_door.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;
using testing_hub::FakeHub;
using testing_hub::Request;
using testing_hub::Server;

const std::string kFiles = BURNISH_TEST_DATA "/data/parquet/";

std::string content_of(const std::string& name) {
  return read_text_file(kFiles + name + ".parquet");
}

// Bytes in memory; counts those that were asked for.
class Memory : public RandomBytes {
 public:
  explicit Memory(std::string content) : content_(std::move(content)) {}
  uint64_t size() const override { return content_.size(); }
  void read(uint64_t offset, std::span<std::byte> into) override {
    ASSERT_LE(offset + into.size(), content_.size());
    std::memcpy(into.data(), content_.data() + offset, into.size());
    read_bytes += into.size();
  }
  uint64_t read_bytes = 0;

 private:
  std::string content_;
};

void expect_messages(const RowsOfFile& file) {
  ASSERT_EQ(file.rows.size(), 25u);
  for (int64_t i = 0; i < 25; ++i) {
    const Conversation& row = file.rows[static_cast<size_t>(i)];
    EXPECT_EQ(row.where.line, i + 1);
    const std::string number = std::to_string(i);
    std::string answer;
    for (int64_t k = 0; k <= i % 5; ++k) answer += "Answer " + number + ".";
    EXPECT_EQ(
        row.messages,
        Json::array({{{"role", "user"}, {"content", "Question " + number + ": wie spät? 時計"}},
                     {{"role", "assistant"}, {"content", answer}}}));
    EXPECT_TRUE(row.tools.is_null()) << row.tools;
  }
}

std::string failure(const std::string& name, const RowOptions& options = {}) {
  return testing_bytes::failure_of([&] { read_rows(kFiles + name + ".parquet", options); });
}

TEST(Parquet, ConversationsInSeveralRowGroups) {
  Hash hash(HashKind::sha256);
  expect_messages(read_rows(kFiles + "messages.parquet", {}, &hash));
  EXPECT_EQ(hash.hex(), testing_hub::sha256(content_of("messages")));
}

TEST(Parquet, PlainTextUnderAnyName) {
  const auto copy = testing_bytes::scratch("parquet") / "rows.bin";
  write_text_file(copy, content_of("text"));
  const RowsOfFile file = read_rows(copy.string(), {});
  ASSERT_EQ(file.rows.size(), 12u);
  EXPECT_TRUE(file.rows[0].is_text);
  EXPECT_EQ(file.rows[7].text, "zwei");
}

TEST(Parquet, EveryKindOfValueIsWhatPyarrowReads) {
  Memory bytes(content_of("kinds"));
  const auto file = open_parquet().open(bytes, "kinds");
  const Json expected = Json::parse(read_text_file(kFiles + "kinds.json"));
  EXPECT_EQ(Json(file->read_row_group(0, file->columns())), expected);
}

TEST(Parquet, OtherColumnsAreNotRead) {
  Memory bytes(content_of("messages"));
  const auto file = open_parquet().open(bytes, "messages");
  EXPECT_THAT(file->columns(), ElementsAre("when", "filler", "messages", "tools"));
  EXPECT_EQ(file->row_groups(), 3);
  const uint64_t footer = bytes.read_bytes;
  for (int group = 0; group < 3; ++group) file->read_row_group(group, {"messages", "tools"});
  EXPECT_LT(bytes.read_bytes - footer, 8'000u);
  const uint64_t without = bytes.read_bytes;
  file->read_row_group(0, {"filler"});
  EXPECT_GT(bytes.read_bytes - without, 8'000u);
}

TEST(Parquet, BadRowsAreNamedOrCounted) {
  EXPECT_THAT(failure("nulls"),
              AllOf(HasSubstr("`text` must be a string"), HasSubstr("nulls.parquet:2")));
  EXPECT_THAT(failure("not_utf8"), AllOf(HasSubstr("not UTF-8"), HasSubstr("not_utf8.parquet:2")));
  const RowsOfFile file = read_rows(kFiles + "not_utf8.parquet", {.skip_bad_lines = true});
  EXPECT_EQ(file.rows.size(), 2u);
  ASSERT_EQ(file.bad_lines.size(), 1u);
  EXPECT_EQ(file.bad_lines[0].where.line, 2);
}

TEST(Parquet, FilesThatCannotBeTrainedOn) {
  EXPECT_THAT(failure("empty"), AllOf(HasSubstr("data: "), HasSubstr("no rows")));
  EXPECT_THAT(failure("other_layout"),
              AllOf(HasSubstr("data: "), HasSubstr("`prompt`, `completion`")));
  EXPECT_THAT(failure("text", {.format = "messages"}), HasSubstr("`messages`"));
  EXPECT_THAT(failure("times"), AllOf(HasSubstr("unsupported: "), HasSubstr("timestamp")));
}

// Every cut and every changed byte ends in rows or in an error that names the file.
TEST(Parquet, DamagedFilesAreErrors) {
  const std::string good = content_of("text");
  const auto open_all = [](std::string content) {
    Memory bytes(std::move(content));
    return testing_bytes::failure_of([&] {
      const auto file = open_parquet().open(bytes, "damaged");
      for (int group = 0; group < file->row_groups(); ++group)
        file->read_row_group(group, {"text"});
    });
  };
  for (size_t size = 0; size < good.size(); size += 7)
    EXPECT_THAT(open_all(good.substr(0, size)), AllOf(HasSubstr("data: "), HasSubstr("damaged")));
  int refused = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    const std::string outcome = open_all(changed);
    EXPECT_THAT(outcome, AnyOf("no error", HasSubstr("damaged"), HasSubstr("unsupported: ")));
    refused += outcome == "no error" ? 0 : 1;
  }
  EXPECT_GT(refused, 50);
}

class RemoteParquet : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(home);
    ::setenv("HF_ENDPOINT", server.url().c_str(), 1);
    ::setenv("HF_HOME", home.c_str(), 1);
    hub.files["data/messages.parquet"] = {content_of("messages"), true};
  }
  void TearDown() override {
    ::unsetenv("HF_ENDPOINT");
    ::unsetenv("HF_HOME");
  }
  static constexpr const char* kName = "hf://datasets/org/name/data/messages.parquet";

  FakeHub hub;
  Server server{[this](const Request& request) { return hub(request); }};
  const fs::path home = testing_bytes::scratch("remote_parquet_home");
};

TEST_F(RemoteParquet, FetchesTheWantedRangesAndWritesNothing) {
  Hash hash(HashKind::sha256), expected(HashKind::sha256);
  expect_messages(read_rows(kName, {}, &hash));
  const std::string listed = testing_hub::sha256(content_of("messages"));
  expected.update(std::as_bytes(std::span(listed)));
  EXPECT_EQ(hash.hex(), expected.hex());
  EXPECT_FALSE(fs::exists(home));
  int ranges = 0;
  for (const Request& request : server.requests())
    if (request.path.ends_with(".parquet")) {
      ++ranges;
      EXPECT_THAT(request.header("range"), HasSubstr("bytes="));
    }
  EXPECT_GT(ranges, 3);
}

TEST_F(RemoteParquet, AFailureOfTheHubIsTheHubs) {
  hub.instead = [&](const Request& request, int count) -> std::optional<testing_hub::Reply> {
    if (!request.path.ends_with(".parquet") || count < 2) return std::nullopt;
    return testing_hub::reply(404, "", {"X-Error-Code: EntryNotFound"});
  };
  EXPECT_THAT(testing_bytes::failure_of([&] { read_rows(kName, {}); }),
              AllOf(HasSubstr("io: "), HasSubstr("no such file (404)")));
}

}  // namespace
}  // namespace burnish
