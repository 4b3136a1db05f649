// Line charts as inline SVG: no script, values as hover titles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace burnish {

struct ChartPoint {
  int64_t step = 0;
  double value = 0;  ///< not finite: a gap in the line and a mark on the axis
  bool operator==(const ChartPoint&) const = default;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  ///< steps rise
};

struct Chart {
  std::string title, unit;
  std::vector<ChartSeries> series;
};

/// A <figure>. Long series are thinned: in each of some hundred stretches the smallest and the
/// largest value stay, so that no spike is lost. Works without points and with one.
std::string chart_svg(const Chart& chart);

/// The parts of it, for tests.
namespace chart {

/// Round numbers (1, 2 or 5 times a power of ten apart) inside [low, high], about `count` of them.
std::vector<double> ticks(double low, double high, int count);

/// At most 2 * `stretches` + 2 points: the first, the last, and the extremes of each stretch; what
/// is not finite counts as smallest.
std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points, size_t stretches);

}  // namespace chart
}  // namespace burnish
