#include "report/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace burnish {
namespace {
using testing::AllOf;
using testing::Contains;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;
using testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Ticks, AreRoundAndInside) {
  EXPECT_THAT(chart::ticks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(chart::ticks(1.31, 2.79, 5),
              Pointwise(testing::DoubleEq(), std::vector<double>{1.5, 2.0, 2.5}));
  EXPECT_THAT(chart::ticks(1, 1, 5), testing::IsEmpty());
  EXPECT_THAT(chart::ticks(kNan, 1, 5), testing::IsEmpty());
}

RC_GTEST_PROP(TicksProperty, NeverManyNeverOutside, (double a, double b)) {
  const double low = std::min(a, b), high = std::max(a, b);
  const std::vector<double> ticks = chart::ticks(low, high, 5);
  RC_ASSERT(ticks.size() <= 11U);
  for (const double tick : ticks) RC_ASSERT(tick <= high && tick >= low - 1e-9 * (high - low));
}

TEST(Thinned, KeepsSpikesEndsAndGaps) {
  std::vector<ChartPoint> points;
  for (int i = 0; i < 10000; ++i) points.push_back({i, std::sin(i * 0.001)});
  points[1234].value = 50;
  points[5678].value = -50;
  points[9000].value = kNan;
  const std::vector<ChartPoint> some = chart::thinned(points, 100);
  EXPECT_LE(some.size(), 202U);
  EXPECT_EQ(some.front(), points.front());
  EXPECT_EQ(some.back(), points.back());
  EXPECT_THAT(some, Contains(points[1234]));
  EXPECT_THAT(some, Contains(points[5678]));
  EXPECT_TRUE(std::any_of(some.begin(), some.end(), [](auto& p) { return std::isnan(p.value); }));
  EXPECT_TRUE(
      std::is_sorted(some.begin(), some.end(), [](auto& a, auto& b) { return a.step < b.step; }));
}

TEST(Thinned, FewPointsStayAsTheyAre) {
  const std::vector<ChartPoint> points{{1, 1.0}, {2, 2.0}, {3, 3.0}};
  EXPECT_EQ(chart::thinned(points, 2), points);
}

TEST(ChartSvg, DrawsTheLineFromLeftBottomToRightTop) {
  const std::string svg = chart_svg({"Loss", "", {{"loss", {{0, 0.0}, {1, 1.0}}}}});
  // 566 wide and 230 high with its margins; values from 0 to 1 + 6 %
  EXPECT_THAT(svg, HasSubstr("d=\"M66.0 204.0L548.0 21.0\""));
  EXPECT_THAT(svg, HasSubstr("<title>step 0\n0</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>step 1\n1</title>"));
}

TEST(ChartSvg, HoveringNamesEverySeriesOfAStep) {
  const std::string svg =
      chart_svg({"Loss", "nats", {{"a", {{0, 2.0}, {5, 1.5}}}, {"b", {{5, 1.25}}}}});
  EXPECT_THAT(svg, HasSubstr("<title>step 5\na 1.5 nats\nb 1.25 nats</title>"));
  EXPECT_THAT(svg, HasSubstr("<i class=\"s1\"></i>b"));
}

TEST(ChartSvg, WhatIsNotFiniteIsAGapWithAMark) {
  const std::string svg = chart_svg(
      {"Loss", "", {{"loss", {{1, 1.0}, {2, 2.0}, {3, kNan}, {4, 1.0}, {5, kInfinity}}}}});
  EXPECT_EQ(count(svg, "class=\"broken\""), 2);
  EXPECT_THAT(svg, HasSubstr("<title>step 3\nnot finite</title>"));
  const size_t begin = svg.find("d=\"M");
  EXPECT_EQ(count(svg.substr(begin, svg.find('"', begin + 3) - begin), "M"), 2);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(ChartSvg, WorksWithNothingOnePointAndOneLevel) {
  EXPECT_THAT(chart_svg({"Loss", "", {}}), HasSubstr("No finite values."));
  EXPECT_THAT(chart_svg({"Loss", "", {{"loss", {{1, kNan}}}}}), HasSubstr("No finite values."));
  EXPECT_THAT(chart_svg({"Loss", "", {{"loss", {{7, 1.5}}}}}),
              HasSubstr("<circle class=\"dot s0\""));
  const std::string level = chart_svg({"Rate", "", {{"rate", {{1, 1e-5}, {2, 1e-5}}}}});
  EXPECT_THAT(level, HasSubstr(">1e-05<"));
  EXPECT_THAT(chart_svg({"Zero", "", {{"z", {{1, 0.0}, {2, 0.0}}}}}), HasSubstr("<path"));
}

RC_GTEST_PROP(ChartSvgProperty, NumbersInThePictureAreFinite, (const std::vector<double>& values)) {
  ChartSeries series{"s", {}};
  for (const double value : values) {
    series.points.push_back({static_cast<int64_t>(series.points.size()), value});
  }
  std::string svg = chart_svg({"T", "", {series}});
  RC_ASSERT(svg.find("nan") == std::string::npos);
  for (size_t at; (at = svg.find("not finite")) != std::string::npos;) svg.erase(at, 10);
  RC_ASSERT(svg.find("inf") == std::string::npos);
}

TEST(ChartSvg, NamesAreEscaped) {
  const std::string svg = chart_svg({"<T>", "", {{"<script>", {{1, 1.0}}}, {"\"&", {{1, 2.0}}}}});
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"&lt;T&gt;\""));
  EXPECT_THAT(svg, HasSubstr("&quot;&amp;"));
}

TEST(ChartSvg, ALongRunStaysSmall) {
  ChartSeries series{"loss", {}};
  for (int i = 0; i < 200000; ++i) series.points.push_back({i, std::cos(i * 0.3)});
  EXPECT_LT(chart_svg({"Loss", "", {series}}).size(), 100000U);
}

}  // namespace
}  // namespace burnish
