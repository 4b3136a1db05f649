#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "report/html_text.h"

namespace burnish {
namespace chart {

std::vector<double> ticks(double low, double high, int count) {
  const double range = high - low;
  if (!(range > 0) || !std::isfinite(range) || count < 1) return {};
  const double power = std::pow(10.0, std::floor(std::log10(range / count)));
  double distance = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    distance = factor * power;
    if (range / distance <= count) break;
  }
  std::vector<double> found;
  for (double k = std::ceil(low / distance); k * distance <= high; k += 1) {
    found.push_back(k * distance);
    if (found.size() > 2 * static_cast<size_t>(count)) break;  // k no longer grows by 1
  }
  return found;
}

std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points, size_t stretches) {
  if (points.size() <= 2 * stretches || stretches == 0) return points;
  // what is not finite counts as the smallest: it is never thinned away
  const auto rank = [&](size_t i) {
    return std::isfinite(points[i].value) ? points[i].value : -INFINITY;
  };
  std::set<size_t> kept{0, points.size() - 1};
  for (size_t stretch = 0; stretch < stretches; ++stretch) {
    const size_t end = (stretch + 1) * points.size() / stretches;
    size_t least = stretch * points.size() / stretches, most = least;
    for (size_t i = least; i < end; ++i) {
      if (rank(i) < rank(least)) least = i;
      if (rank(i) > rank(most)) most = i;
    }
    kept.insert({least, most});
  }
  std::vector<ChartPoint> some;
  for (const size_t i : kept) some.push_back(points[i]);
  return some;
}

}  // namespace chart

namespace {

constexpr double kWidth = 560, kHeight = 230;
constexpr double kLeft = 66, kRight = 12, kTop = 10, kBottom = 26;
constexpr size_t kStretches = 120;
constexpr size_t kDotsUpTo = 30;
constexpr size_t kColours = 6;  // classes s0 to s5 of the page's style
constexpr double kLargest = 1e300;

// Maps steps and values to the picture.
struct Scale {
  double first_step, last_step, low, high;

  double x(int64_t step) const {
    const double range = last_step - first_step;
    const double share = range > 0 ? (static_cast<double>(step) - first_step) / range : 0.5;
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    const double v = std::clamp(value, -kLargest, kLargest);
    return kTop + (1 - (v - low) / (high - low)) * (kHeight - kTop - kBottom);
  }
};

std::optional<Scale> scale_of(const std::vector<ChartSeries>& series) {
  Scale scale{INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (const ChartSeries& one : series) {
    for (const ChartPoint& point : one.points) {
      scale.first_step = std::min(scale.first_step, static_cast<double>(point.step));
      scale.last_step = std::max(scale.last_step, static_cast<double>(point.step));
      if (!std::isfinite(point.value)) continue;
      scale.low = std::min(scale.low, std::clamp(point.value, -kLargest, kLargest));
      scale.high = std::max(scale.high, std::clamp(point.value, -kLargest, kLargest));
    }
  }
  if (scale.low > scale.high) return std::nullopt;
  const double range = scale.high - scale.low;
  const double level = std::max(std::fabs(scale.high), 1e-300);
  const double margin = range > 1e-12 * level ? 0.06 * range : 0.1 * level;
  const bool above_zero = scale.low >= 0;
  scale.low -= margin;
  scale.high += margin;
  if (above_zero) scale.low = std::max(scale.low, 0.0);
  return scale;
}

std::string axes(const Scale& scale) {
  std::string svg;
  for (const double tick : chart::ticks(scale.low, scale.high, 5)) {
    const double y = scale.y(tick);
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                       kLeft, kWidth - kRight, y, y);
    svg +=
        fmt::format("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>",
                    kLeft - 8, y + 4, std::fabs(tick) < 1e-300 ? 0.0 : tick);
  }
  std::vector<double> steps = chart::ticks(scale.first_step, scale.last_step, 6);
  if (steps.empty()) steps = {scale.first_step};
  for (const double step : steps) {
    if (step != std::floor(step)) continue;
    svg += fmt::format(
        "<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>",
        scale.x(static_cast<int64_t>(step)), kHeight - 6, step);
  }
  return svg + fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n",
                           kLeft, kWidth - kRight, kHeight - kBottom, kHeight - kBottom);
}

// Lines between neighbours that are finite; dots where points are few or stand alone.
std::string line_of(const std::vector<ChartPoint>& points, const Scale& scale, size_t colour) {
  std::string path, dots;
  size_t run = 0;
  const auto dot = [&](const ChartPoint& point) {
    dots += fmt::format("<circle class=\"dot s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", colour,
                        scale.x(point.step), scale.y(point.value));
  };
  for (size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].value)) {
      run = 0;
      continue;
    }
    path += fmt::format("{}{:.1f} {:.1f}", run++ == 0 ? "M" : "L", scale.x(points[i].step),
                        scale.y(points[i].value));
    const bool ends = i + 1 == points.size() || !std::isfinite(points[i + 1].value);
    if (points.size() <= kDotsUpTo || (run == 1 && ends)) dot(points[i]);
  }
  return fmt::format("<path class=\"line s{}\" d=\"{}\"/>{}\n", colour, path, dots);
}

std::string value_text(const Chart& chart, double value) {
  const std::string number = readable_number(value);
  return chart.unit.empty() || !std::isfinite(value) ? number : number + " " + chart.unit;
}

// What hovering shows: for each step a stretch of the picture's full height with a title.
std::string hover_bands(const Chart& chart, const std::vector<ChartSeries>& series,
                        const Scale& scale) {
  std::map<int64_t, std::string> titles;
  std::map<int64_t, std::string> marks;
  for (size_t i = 0; i < series.size(); ++i) {
    for (const ChartPoint& point : series[i].points) {
      std::string& title = titles[point.step];
      if (title.empty()) title = fmt::format("step {}", point.step);
      const std::string name = series.size() > 1 ? series[i].name + " " : std::string();
      title += "\n" + name + value_text(chart, point.value);
      std::string& mark = marks[point.step];
      mark += std::isfinite(point.value)
                  ? fmt::format("<circle class=\"dot s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>",
                                i % kColours, scale.x(point.step), scale.y(point.value))
                  : std::string();
    }
  }
  std::string svg;
  double left = kLeft;
  for (auto it = titles.begin(); it != titles.end(); ++it) {
    const auto next = std::next(it);
    const double x = scale.x(it->first);
    const double right = next == titles.end() ? kWidth - kRight : (x + scale.x(next->first)) / 2;
    svg += fmt::format(
        "<g class=\"band\"><rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/><line "
        "x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>{}<title>{}</title></g>\n",
        left, kTop, right - left, kHeight - kTop - kBottom, x, x, kTop, kHeight - kBottom,
        marks[it->first], html_escaped(it->second));
    left = right;
  }
  return svg;
}

// A red mark on the axis for each value that is not finite.
std::string broken_marks(const std::vector<ChartSeries>& series, const Scale& scale) {
  std::set<int64_t> steps;
  for (const ChartSeries& one : series) {
    for (const ChartPoint& point : one.points) {
      if (!std::isfinite(point.value)) steps.insert(point.step);
    }
  }
  std::string svg;
  for (const int64_t step : steps) {
    const double x = scale.x(step), y = kHeight - kBottom;
    svg += fmt::format("<path class=\"broken\" d=\"M{:.1f} {:.1f}l8 8m0-8l-8 8\"/>", x - 4, y - 4);
  }
  return svg;
}

std::string legend(const std::vector<ChartSeries>& series) {
  if (series.size() < 2) return {};
  std::string html = "<span class=\"legend\">";
  for (size_t i = 0; i < series.size(); ++i) {
    html += fmt::format("<span><i class=\"s{}\"></i>{}</span>", i % kColours,
                        html_escaped(series[i].name));
  }
  return html + "</span>";
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  std::vector<ChartSeries> series = chart.series;
  for (ChartSeries& one : series) one.points = chart::thinned(one.points, kStretches);
  const std::string unit = chart.unit.empty() ? std::string() : chart.unit + " ";
  std::string html =
      fmt::format("<figure><figcaption><b>{}</b><small>{}by step</small>{}</figcaption>",
                  html_escaped(chart.title), html_escaped(unit), legend(series));
  const std::optional<Scale> scale = scale_of(series);
  if (!scale) return html + "<p class=\"none\">No finite values.</p></figure>\n";
  html += fmt::format("\n<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth,
                      kHeight, html_escaped(chart.title));
  html += axes(*scale);
  for (size_t i = 0; i < series.size(); ++i) {
    html += line_of(series[i].points, *scale, i % kColours);
  }
  html += broken_marks(series, *scale) + hover_bands(chart, series, *scale);
  return html + "</svg></figure>\n";
}

}  // namespace burnish
