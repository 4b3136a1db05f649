// Samples whose ids say where they came from: sample * 1000 + position.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/row_stream.h"

namespace burnish::testing_samples {

/// All tokens but the first are targets.
inline Sample sample_of(int32_t number, int32_t length) {
  Sample sample{{}, {}, {"made", number + 1}};
  for (int32_t t = 0; t < length; ++t) {
    sample.ids.push_back(number * 1000 + t);
    sample.target.push_back(t > 0);
  }
  return sample;
}

inline std::vector<Sample> samples_of(const std::vector<int32_t>& lengths) {
  std::vector<Sample> samples;
  for (size_t i = 0; i < lengths.size(); ++i)
    samples.push_back(sample_of(static_cast<int32_t>(i), lengths[i]));
  return samples;
}

}  // namespace burnish::testing_samples
