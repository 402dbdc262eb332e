#include "miner/union_find.h"

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

using Join = SizeCappedUnionFind::Join;

TEST(SizeCappedUnionFind, StartsWithSingleElements) {
  SizeCappedUnionFind sets(3, 10);
  for (std::uint32_t element = 0; element < 3; ++element) {
    EXPECT_EQ(sets.find(element), element);
    EXPECT_EQ(sets.set_size(element), 1U);
  }
}

TEST(SizeCappedUnionFind, JoinsAndKnowsWhatIsJoined) {
  SizeCappedUnionFind sets(4, 10);
  EXPECT_EQ(sets.join(0, 1), Join::joined);
  EXPECT_EQ(sets.join(2, 3), Join::joined);
  EXPECT_EQ(sets.join(1, 0), Join::already_joined);
  EXPECT_NE(sets.find(0), sets.find(2));
  EXPECT_EQ(sets.join(3, 0), Join::joined);
  EXPECT_EQ(sets.find(1), sets.find(2));
  EXPECT_EQ(sets.set_size(1), 4U);
  EXPECT_EQ(sets.join(1, 2), Join::already_joined);
  EXPECT_EQ(sets.join(2, 2), Join::already_joined);
}

TEST(SizeCappedUnionFind, RefusesOnlyWhatExceedsTheCap) {
  SizeCappedUnionFind sets(6, 4);
  EXPECT_EQ(sets.join(0, 1), Join::joined);
  EXPECT_EQ(sets.join(0, 2), Join::joined);
  EXPECT_EQ(sets.join(3, 4), Join::joined);
  EXPECT_EQ(sets.join(0, 3), Join::refused);  // 3 + 2
  EXPECT_EQ(sets.join(5, 0), Join::joined);   // 1 + 3, exactly the cap
  EXPECT_EQ(sets.join(0, 3), Join::refused);
  EXPECT_EQ(sets.join(5, 2), Join::already_joined);  // even in a full set
}

TEST(SizeCappedUnionFind, ACapOfOneRefusesAll) {
  SizeCappedUnionFind sets(2, 1);
  EXPECT_EQ(sets.join(0, 1), Join::refused);
  EXPECT_EQ(sets.join(0, 0), Join::already_joined);
}

TEST(SizeCappedUnionFind, AMillionElementsInOneChain) {
  constexpr std::uint32_t size = 1000000;
  SizeCappedUnionFind sets(size, size);
  for (std::uint32_t element = 1; element < size; ++element) {
    ASSERT_EQ(sets.join(element - 1, element), Join::joined);
  }
  EXPECT_EQ(sets.set_size(size / 2), size);
}

}  // namespace
}  // namespace qdedup::miner
