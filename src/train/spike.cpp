#include "train/spike.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace burnish {
namespace {

constexpr size_t kWindow = 100, kLeast = 20;
constexpr double kDeviations = 6.0, kDeviationOfMad = 1.4826;
constexpr double kLossRatio = 1.25, kNormRatio = 2.0;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2.0;
}

std::optional<std::string> stands_out(const char* name, double value,
                                      const std::deque<double>& window, double ratio) {
  if (window.size() < kLeast || !std::isfinite(value)) return std::nullopt;
  const double middle = median({window.begin(), window.end()});
  std::vector<double> distances;
  for (const double seen : window) distances.push_back(std::abs(seen - middle));
  const double deviation = kDeviationOfMad * median(std::move(distances));
  if (value <= middle + kDeviations * deviation || value <= ratio * middle) return std::nullopt;
  char text[120];
  std::snprintf(text, sizeof text, "%s %.4f is %.1f times the median of the last %zu steps", name,
                value, value / middle, window.size());
  return text;
}

void push(std::deque<double>& window, double value) {
  if (!std::isfinite(value)) return;
  window.push_back(value);
  if (window.size() > kWindow) window.pop_front();
}

}  // namespace

std::optional<std::string> SpikeDetector::look(double loss, double gradient_norm) const {
  const auto of_loss = stands_out("loss", loss, losses_, kLossRatio);
  const auto of_norm = stands_out("gradient norm", gradient_norm, norms_, kNormRatio);
  if (of_loss && of_norm) return *of_loss + ", " + *of_norm;
  return of_loss ? of_loss : of_norm;
}

void SpikeDetector::add(double loss, double gradient_norm) {
  push(losses_, loss);
  push(norms_, gradient_norm);
}

}  // namespace burnish
