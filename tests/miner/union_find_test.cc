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

TEST(SizeCappedUnionFind, NamesASetByTheLargerOne) {
  SizeCappedUnionFind sets(5, 5);
  sets.join(3, 0);
  sets.join(1, 3);
  sets.join(4, 2);
  sets.join(4, 0);
  for (std::uint32_t element = 0; element < 5; ++element) {
    EXPECT_EQ(sets.root_of(element), 3U);
    EXPECT_EQ(sets.find(element), 3U);
  }
}

TEST(ConnectedSets, AreInOrder) {
  const std::vector<int> values = {2, 3, 5, 7, 11};
  const std::vector<std::pair<int, int>> edges = {{11, 3}, {7, 2}, {5, 11}, {2, 7}};
  EXPECT_EQ(connected_sets(values, edges), (std::vector<std::vector<int>>{{2, 7}, {3, 5, 11}}));
  EXPECT_TRUE(connected_sets(std::vector<int>(), {}).empty());
}

}  // namespace
}  // namespace qdedup::miner
