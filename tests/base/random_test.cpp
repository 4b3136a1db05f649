#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace burnish {
namespace {

// Known answers of the authors' test vectors (Random123, kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32(0, 0, 0),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32(~0ull, ~0ull, ~0ull),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Permutation, IsOneAndDependsOnSeedAndStream) {
  auto order = permutation(1000, 7, 0);
  EXPECT_EQ(order, permutation(1000, 7, 0));
  EXPECT_NE(order, permutation(1000, 8, 0));
  EXPECT_NE(order, permutation(1000, 7, 1));
  std::sort(order.begin(), order.end());
  std::vector<int64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

// The first element is uniform: chi-square over 6 cells, 6000 draws; 25.7 is its 0.9999 quantile at
// 5 degrees.
TEST(Permutation, FirstElementIsUniform) {
  std::vector<int> seen(6);
  for (uint64_t seed = 0; seed < 6000; ++seed) ++seen[permutation(6, seed, 0)[0]];
  double chi_square = 0;
  for (int count : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_square, 25.7);
}

}  // namespace
}  // namespace burnish
