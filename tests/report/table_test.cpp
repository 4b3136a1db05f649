#include "report/table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "base/error.h"
#include "measure/display_width.h"

namespace burnish {
namespace {

TEST(PlainTable, AlignsNumbersRightAndTextLeft) {
  const std::string text = plain_table({{"set"}, {"before", true}, {"note"}},
                                       {{"held_out", "2.66", "x"}, {"日本", "12.5"}});
  EXPECT_EQ(text,
            "set       before  note\n"
            "held_out    2.66  x\n"
            "日本        12.5\n");
}

TEST(PlainTable, WithoutHeadingsThereIsNoHeadingLine) {
  EXPECT_EQ(plain_table({{}, {}}, {{"os", "Debian"}, {"kernel", "Linux"}}),
            "os      Debian\nkernel  Linux\n");
  EXPECT_EQ(plain_table({{}, {}}, {}), "");
}

TEST(PlainTable, CutsTheWidestColumn) {
  EXPECT_EQ(plain_table({{"name"}, {"value"}}, {{"path", "/a/very/long/path/to/a/file"}}, 20),
            "name  value\npath  /a/very/long/…\n");
}

TEST(PlainTable, CellsStayInTheirLine) {
  EXPECT_EQ(plain_table({{}}, {{"a\nb\x1b[2J"}}), "a b\uFFFD[2J\n");
}

TEST(PlainTable, ARowThatIsTooLongIsABugOfTheCaller) {
  EXPECT_THROW(plain_table({{}}, {{"a", "b"}}), Error);
}

RC_GTEST_PROP(PlainTableProperty, NoLineIsWiderThanAsked,
              (const std::vector<std::pair<std::string, std::string>>& pairs)) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [a, b] : pairs) rows.push_back({a, b});
  std::istringstream lines(plain_table({{"left"}, {"right", true}}, rows, 24));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) RC_ASSERT(display_width(line) <= 24);
  RC_ASSERT(count == static_cast<int>(rows.size()) + 1);
}

}  // namespace
}  // namespace burnish
