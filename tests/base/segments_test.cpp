#include "base/segments.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.h"

namespace burnish {
namespace {

TEST(Segments, RefusesWhatDoesNotIncrease) {
  EXPECT_THROW(Segments(std::vector<int32_t>{}), Error);
  EXPECT_THROW(Segments({1, 2}), Error);
  EXPECT_THROW(Segments({0, 3, 3}), Error);
  EXPECT_THROW(Segments({0, 3, 2}), Error);
}

TEST(Segments, PositionsRestart) {
  const Segments segments({0, 2, 5});
  EXPECT_EQ(segments.positions(), (std::vector<int64_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(segments.longest(), 3);
  EXPECT_EQ(segments.causal_pairs(), 3 + 6);
}

TEST(Segments, FromPositionsIsTheInverseOfPositions) {
  EXPECT_TRUE(rc::check([](std::vector<uint8_t> lengths) {
    std::vector<int32_t> cu{0};
    for (uint8_t n : lengths) cu.push_back(cu.back() + n % 7 + 1);
    const Segments segments(cu);
    // two neighbouring segments of one token each have positions 0, 0: still told apart
    RC_ASSERT(Segments::from_positions(segments.positions()) == segments);
  }));
}

TEST(Segments, AppendShiftsTheOther) {
  Segments segments({0, 2});
  segments.append(Segments({0, 1, 4}));
  EXPECT_EQ(segments, Segments({0, 2, 3, 6}));
}

}  // namespace
}  // namespace burnish
