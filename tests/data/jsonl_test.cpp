#include "data/jsonl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace burnish {
namespace {
using nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
const std::string kCases = std::string(BURNISH_TEST_DATA) + "/cases/";

std::string temporary_file(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("burnish_jsonl_" + std::to_string(::getpid()) + ".jsonl");
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

// What reading `text` as a file throws; the file's name is cut off.
std::string refusal(const std::string& text, const RowOptions& options = {}) {
  const std::string file = temporary_file(text);
  try {
    read_jsonl(file, options);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(error.code() == ErrorCode::data || error.code() == ErrorCode::unsupported) << what;
    EXPECT_EQ(what.rfind(file, 0), 0u) << what;
    return what.substr(file.size());
  }
  return "accepted";
}

std::string chat(const std::string& messages) {
  return "{\"messages\": [" + messages + "]}\n";
}
const std::string kGood =
    chat(R"({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"})");

std::string answer_of(const Conversation& row) {
  return row.messages.back()["content"].get<std::string>();
}

ordered_json expected_of(const std::string& name) {
  return ordered_json::parse(read_text_file(kCases + name + "/expected.json"));
}

TEST(JsonlLines, GoodFilesOfTheCaseGiveTheirAnswers) {
  const std::string folder = "G01-jsonl-lines";
  const ordered_json expected = expected_of(folder);
  auto files = expected["good_files"].get<std::vector<std::string>>();
  files.push_back("array_file.json");
  for (const std::string& file : files) {
    std::vector<std::string> answers;
    for (const Conversation& row : read_jsonl(kCases + folder + "/" + file, {}).rows)
      answers.push_back(answer_of(row));
    EXPECT_EQ(ordered_json(answers), expected["answers"]) << file;
  }
}

TEST(JsonlLines, BadFilesOfTheCaseAreRefusedByName) {
  const std::string folder = kCases + "G01-jsonl-lines/";
  const auto refused = [&](const std::string& file) -> std::string {
    try {
      read_jsonl(folder + file, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refused("truncated_last.jsonl"), HasSubstr("truncated_last.jsonl:5:"));
  EXPECT_THAT(refused("truncated_last.jsonl"), HasSubstr("cut off"));
  EXPECT_THAT(refused("two_objects_one_line.jsonl"), HasSubstr("two_objects_one_line.jsonl:1:"));
  EXPECT_THAT(refused("two_objects_one_line.jsonl"), HasSubstr("more than one JSON value"));
  EXPECT_THAT(refused("empty.jsonl"), HasSubstr("no rows"));
  EXPECT_THAT(refused("utf16.jsonl"), HasSubstr("not UTF-8"));
}

TEST(JsonlLines, LastOfDuplicateKeysWinsAsInPython) {
  const auto rows = read_jsonl(kCases + "G01-jsonl-lines/duplicate_keys.jsonl", {}).rows;
  EXPECT_EQ(rows[0].messages[0]["content"], "second");
  // with many keys too, and the first place is kept
  std::string many = "{\"text\": \"x\"";
  for (int i = 0; i < 40; ++i) many += ", \"k" + std::to_string(i) + "\": 1";
  many += ", \"text\": \"y\"}\n";
  EXPECT_EQ(read_jsonl(temporary_file(many), {}).rows[0].text, "y");
}

TEST(JsonlLines, LineNumbersCountBlankLines) {
  const auto rows = read_jsonl(kCases + "G01-jsonl-lines/blank_lines.jsonl", {}).rows;
  std::vector<int64_t> lines;
  for (const auto& row : rows) lines.push_back(row.where.line);
  EXPECT_THAT(lines, ElementsAre(2, 6, 7, 8, 9));
}

TEST(JsonlLines, ArrayElementsCarryTheirLine) {
  const std::string text =
      "\n [ {\"text\": \"a]\\\"\"} ,\n\n{\"text\":\n \"b\"}\n, {\"text\": \"c\"}] \n";
  const auto rows = read_jsonl(temporary_file(text), {}).rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].text, "a]\"");
  EXPECT_EQ(rows[1].where.line, 4);
  EXPECT_EQ(rows[2].where.line, 6);
}

TEST(JsonlLines, BrokenArraysAreRefused) {
  EXPECT_THAT(refusal("[{\"text\": \"a\"}"), HasSubstr("does not end"));
  EXPECT_THAT(refusal("[{\"text\": \"a\"},]"), HasSubstr("missing before ']'"));
  EXPECT_THAT(refusal("[,{\"text\": \"a\"}]"), HasSubstr("missing before ','"));
  EXPECT_THAT(refusal("[{\"text\": \"a\"}]\n{\"text\": \"b\"}\n"), HasSubstr(":2: there is text"));
  EXPECT_THAT(refusal("[{\"text\": \"a\"},\n  {\"text\": 1x}]"), HasSubstr(":2:13: not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("no rows"));
  EXPECT_THAT(refusal("["), HasSubstr("does not end"));
  EXPECT_THAT(refusal("[\"a\\"), HasSubstr("does not end"));
}

TEST(JsonlLines, PlaceOfTheFaultIsGiven) {
  EXPECT_THAT(refusal(kGood + "{\"messages\": tru}\n"), HasSubstr(":2:17: not JSON from here"));
  EXPECT_THAT(refusal(kGood + "{\"text\": \"a\n"), HasSubstr(":2:"));
  EXPECT_THAT(refusal("{\"text\": \"a\xFF\"}"), HasSubstr(":1:12: the text is not UTF-8"));
  EXPECT_THAT(refusal("{\"text\": NaN}"), HasSubstr(":1:10: not JSON"));
  EXPECT_THAT(refusal("{\"text\": \"a\", \"n\": 123456789012345678901234567890}"),
              HasSubstr("cannot be read"));
  EXPECT_THAT(refusal("{'text': 'a'}"), HasSubstr(":1:2: not JSON"));
}

TEST(JsonlLines, DeepNestingIsRefused) {
  const auto nested = [](int levels) {
    return "{\"text\": \"a\", \"x\": " + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_EQ(refusal(nested(100)), "accepted");
  EXPECT_THAT(refusal(nested(200)), HasSubstr("128 levels"));
  EXPECT_THAT(refusal(nested(2'000'000)), HasSubstr("128 levels"));
  EXPECT_THAT(refusal("{\"text\": " + std::string(2'000'000, '[')), HasSubstr(":1:"));
}

TEST(JsonlLines, ManyElementsOnOneLineTakeNoQuadraticTime) {
  std::string text = "[{\"text\": \"a\"}";
  for (int i = 0; i < 300'000; ++i) text += ",{\"text\": \"a\"}";
  EXPECT_EQ(read_jsonl(temporary_file(text + "]"), {}).rows.size(), 300'001u);
}

TEST(JsonlLines, ManyKeysTakeNoQuadraticTime) {
  std::string text = "{\"text\": \"a\"";
  for (int i = 0; i < 300'000; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_EQ(read_jsonl(temporary_file(text + "}"), {}).rows.size(), 1u);
}

TEST(JsonlLines, OtherKindsOfFileAreNamed) {
  EXPECT_THAT(refusal("\x1F\x8B\x08..."), HasSubstr("compressed"));
  EXPECT_THAT(refusal("\x28\xB5\x2F\xFD..."), HasSubstr("compressed"));
  EXPECT_THAT(refusal("PAR1...."), HasSubstr("Parquet"));
  EXPECT_THAT(refusal(std::string("{\0\"\0", 4)), HasSubstr("UTF-16"));
  EXPECT_THROW(read_jsonl("/nowhere/at/all.jsonl", {}), Error);
}

TEST(JsonlLines, StringsAreValidUtf8OrRefused) {
  const ordered_json expected = expected_of("B04-surrogates-bad-utf8");
  const auto result =
      read_jsonl(kCases + "B04-surrogates-bad-utf8/bad.jsonl", {.skip_bad_lines = true});
  std::map<int64_t, std::string> answers;
  for (const auto& row : result.rows) answers[row.where.line] = row.messages.front()["content"];
  EXPECT_EQ(result.rows.size() + result.bad_lines.size(), 13u);
  for (const auto& line : expected["lines"]) {
    const auto found = answers.find(line["line"]);
    const bool accepted = found != answers.end();
    EXPECT_EQ(accepted, line["must"] == "accept") << line;
    if (accepted) {
      EXPECT_EQ(ordered_json(found->second), line["content"]);
    }
  }
}

TEST(JsonlRows, LinesOfTheRolesCase) {
  const std::string file = kCases + "G03-roles-null-content/mixed.jsonl";
  const auto result = read_jsonl(file, {.skip_bad_lines = true});
  std::vector<int64_t> refused;
  for (const BadLine& line : result.bad_lines) refused.push_back(line.where.line);
  std::vector<int64_t> expected;
  const ordered_json lines = expected_of("G03-roles-null-content")["lines"];
  for (const auto& line : lines)
    if (line["must"] == "refuse") expected.push_back(line["line"]);
  EXPECT_EQ(refused, expected);
  EXPECT_THAT(result.bad_lines[0].reason, HasSubstr("unknown role \"human\""));
  // nulls are as if absent
  for (const auto& row : result.rows)
    if (row.where.line == 9) {
      EXPECT_EQ(row.messages[0].size(), 2u);
    }
}

TEST(JsonlRows, RefusalsNameMessageAndKey) {
  EXPECT_THAT(refusal(chat(R"({"role": "human", "content": "a"})")),
              HasSubstr(":1: message 0: unknown role \"human\". Write 'user'?"));
  EXPECT_THAT(refusal(chat(R"({"role": "asistant", "content": "a"})")), HasSubstr("'assistant'?"));
  EXPECT_THAT(refusal(chat(R"({"role": "developer", "content": "a"})")), HasSubstr("'system'?"));
  EXPECT_THAT(refusal(chat(R"({"role": 3, "content": "a"})")), HasSubstr("must be a string"));
  EXPECT_THAT(refusal(chat(R"({"role": "user", "content": "a"}, {"from": "gpt", "value": "b"})")),
              HasSubstr("message 1: has no `role`. `from` and `value` are another layout"));
  EXPECT_THAT(refusal(chat(R"({"role": "assistant", "content": null, "tool_calls": []})")),
              HasSubstr("no `content`"));
  EXPECT_THAT(refusal(chat(R"({"role": "user", "content": [{"type": "image"}]})")),
              HasSubstr("type \"image\" is not supported"));
  EXPECT_THAT(refusal(chat(R"({"role": "user", "content": ["a"]})")), HasSubstr("part"));
  EXPECT_THAT(refusal(chat(R"({"role": "user", "content": "a", "tool_calls": [{}]})")),
              HasSubstr("belong to the assistant"));
  EXPECT_THAT(refusal(chat(R"({"role": "assistant", "content": "a", "reasoning": 1})")),
              HasSubstr("`reasoning` must be a string"));
  EXPECT_THAT(refusal(chat("")), HasSubstr("`messages` is empty"));
  EXPECT_THAT(refusal(chat("7")), HasSubstr("message 0: must be an object"));
  EXPECT_THAT(refusal("[1, 2]"), HasSubstr("a row must be an object"));
  EXPECT_THAT(refusal("{\"conversations\": []}"), HasSubstr("`role` (human is user"));
  EXPECT_THAT(refusal("{\"prompt\": \"a\", \"completion\": \"b\"}"),
              HasSubstr("as a user message"));
  EXPECT_THAT(refusal("{\"text\": \"\"}"), HasSubstr("`text` is empty"));
  EXPECT_THAT(refusal("{\"text\": \"a\", \"messages\": []}"), HasSubstr("both"));
  EXPECT_THAT(refusal(R"({"messages": [{"role":"user","content":"a"}], "tools": "[]"})"),
              HasSubstr("`tools` must be a list"));
}

TEST(JsonlRows, FirstRowDecidesTheFormat) {
  EXPECT_THAT(refusal(kGood + "{\"text\": \"a\"}\n"), HasSubstr(":2: the row has no `messages`"));
  EXPECT_THAT(refusal("{\"text\": \"a\"}\n" + kGood), HasSubstr(":2: the row has no `text`"));
  EXPECT_EQ(refusal("{\"text\": \"a\", \"messages\": 1}", {.format = "text"}), "accepted");
  EXPECT_THROW(read_jsonl(temporary_file(kGood), {.format = "parquet"}), Error);
}

TEST(JsonlRows, ToolCallsStandInForContentAndInnerNullsStay) {
  const auto row = conversation_from_json(
      ordered_json::parse(
          R"({"messages": [{"role": "assistant", "content": null, "tool_calls":
              [{"function": {"name": "f", "arguments": {"b": null, "a": 1}}}]}], "tools": [{}]})"),
      {"f", 1}, "auto");
  EXPECT_EQ(row.messages[0]["tool_calls"][0]["function"]["arguments"].dump(),
            R"({"b":null,"a":1})");
  EXPECT_FALSE(row.messages[0].contains("content"));
  EXPECT_EQ(row.tools.size(), 1u);
}

TEST(JsonlRows, SkippedLinesAreCountedAndAllBadIsAnError) {
  const auto result =
      read_jsonl(temporary_file("{}\n" + kGood + "oops\n" + kGood), {.skip_bad_lines = true});
  EXPECT_EQ(result.rows.size(), 2u);
  ASSERT_EQ(result.bad_lines.size(), 2u);
  EXPECT_EQ(result.bad_lines[1].where.line, 3);
  EXPECT_THAT(refusal("{}\noops\n", {.skip_bad_lines = true}),
              HasSubstr("none of the 2 rows can be used; the first, line 1: the row has neither"));
}

}  // namespace
}  // namespace burnish
