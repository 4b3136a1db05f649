#include "data/chatterbot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "data/jsonl.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
const fs::path kFolder = fs::path(BURNISH_TEST_DATA) / "data/chatterbot";

Conversation exchange(const std::string& question, const std::string& answer) {
  Conversation conversation;
  conversation.messages = {{{"role", "user"}, {"content", question}},
                           {{"role", "assistant"}, {"content", answer}}};
  return conversation;
}

TEST(Chatterbot, ReadsScalarsAsWrittenAndEvenTurns) {
  const auto rows = read_chatterbot(kFolder);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].messages[1]["content"], "yes");
  EXPECT_EQ(rows[1].messages.size(), 2u);
  EXPECT_EQ(rows[1].messages[1]["content"], "1.0");
  EXPECT_EQ(rows[2].messages[0]["content"], "Quoted: a");
  EXPECT_EQ(rows[2].messages[1]["content"], "b # no comment");
  EXPECT_EQ(rows[2].messages[3]["role"], "assistant");
  EXPECT_EQ(rows[0].where.line, 4);
}

TEST(Chatterbot, BrokenFilesAreRefused) {
  const fs::path folder = fs::temp_directory_path() / ("burnish_yml_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  EXPECT_THROW(read_chatterbot(folder / "none"), Error);
  EXPECT_THROW(read_chatterbot(folder), Error);
  for (const char* text : {"conversations: 1", "- a", "conversations:\n- {a: b}",
                           "conversations:\n- [[1], 2]", "conversations: [\"", ""}) {
    std::ofstream(folder / "a.yml") << text;
    EXPECT_THROW(read_chatterbot(folder), Error) << text;
  }
}

TEST(Chatterbot, HeldOutExchangesAreNotInTrain) {
  std::vector<Conversation> rows;
  for (int i = 0; i < 300; ++i)
    rows.push_back(exchange("q" + std::to_string(i % 170), "a" + std::to_string(i % 170)));
  const auto split = split_conversations(rows, 0.1, 0);
  EXPECT_EQ(split.train.size() + split.held_out.size(), 300u);
  EXPECT_NEAR(static_cast<double>(split.held_out.size()), 30, 2);
  std::set<std::string> trained;
  for (const auto& row : split.train) trained.insert(row.messages.dump());
  for (const auto& row : split.held_out) EXPECT_EQ(trained.count(row.messages.dump()), 0u);
  EXPECT_EQ(split_conversations(rows, 0.1, 0).held_out[0].messages, split.held_out[0].messages);
  EXPECT_THROW(split_conversations(rows, 1.5, 0), Error);
}

TEST(Chatterbot, WrittenFilesReadBack) {
  const fs::path file = fs::temp_directory_path() / ("burnish_cb_" + std::to_string(::getpid()));
  const auto rows = read_chatterbot(kFolder);
  write_conversations(file, rows);
  const auto read = read_jsonl(file.string(), {}).rows;
  ASSERT_EQ(read.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(read[i].messages, rows[i].messages);
}

}  // namespace
}  // namespace burnish
