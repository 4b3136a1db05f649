// A counter-based generator: any draw is computed from (seed, stream, index) alone, so that nothing
// has to be replayed after a resume. Philox4x32-10: Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011, section 3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace burnish {

/// Four independent 32-bit words for one (key, counter).
std::array<uint32_t, 4> philox4x32(uint64_t key, uint64_t counter_high, uint64_t counter_low);

/// A named stream of draws.
class CounterRandom {
 public:
  CounterRandom(uint64_t seed, uint64_t stream) : seed_(seed), stream_(stream) {}

  /// 64 uniform bits for draw `index`.
  uint64_t bits(uint64_t index) const;

  /// Uniform in [0, 1), 53 bits.
  double uniform(uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1.0p-53;
  }

 private:
  uint64_t seed_, stream_;
};

/// A uniform permutation of 0..n-1 (Fisher-Yates from the top, Lemire's bounded draw by
/// multiplication); pinned: same (seed, stream, n), same order, on every machine.
std::vector<int64_t> permutation(int64_t n, uint64_t seed, uint64_t stream);

}  // namespace burnish
