// Steps whose loss or gradient norm stands far above those before.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace burnish {

class SpikeDetector {
 public:
  /// What stands out and by how much: "loss 5.2000 is 2.6 times the median of the last 100 steps";
  /// nullopt: nothing. A value does if it is above the median of the last 100 steps (at least 20 of
  /// them) by more than six standard deviations, taken robustly as 1.4826 times the median absolute
  /// deviation (Rousseeuw and Croux, 1993), and the loss is above 1.25 times, the gradient norm
  /// above twice that median.
  std::optional<std::string> look(double loss, double gradient_norm) const;

  /// A step that was updated with; values that are not finite are left out.
  void add(double loss, double gradient_norm);

 private:
  std::deque<double> losses_, norms_;
};

}  // namespace burnish
