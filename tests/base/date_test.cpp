#include "base/date.h"

#include <gtest/gtest.h>

namespace burnish {
namespace {

TEST(Date, IsMidnightUtc) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("1970-01-02"), 86400);
  EXPECT_EQ(parse_date("2024-02-29"), 1709164800);
  EXPECT_EQ(parse_date("1969-12-31"), -86400);
}

TEST(Date, RefusesWhatIsNoDay) {
  for (const char* text : {"", "2026", "2026-1-02", "2026-01-2", "2026-02-29", "2026-13-01",
                           "2026-00-10", "2026-01-00", "2026-01-32", "0000-01-01", "+026-01-01",
                           "-026-01-01", "2026-01-01 ", "2026/01/01", "2026-0a-01", "20260-1-01"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

}  // namespace
}  // namespace burnish
