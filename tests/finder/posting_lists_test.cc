#include "finder/posting_lists.h"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::finder {
namespace {

TEST(PostingLists, KeepEachListInOrder) {
  PostingLists lists(512);
  std::map<std::uint64_t, std::vector<std::uint32_t>> expected;
  std::mt19937_64 random(1);
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    const std::uint64_t hash = random() % 3 == 0 ? 7 : random() % 64;
    lists.add(hash,
              {.number = number, .position = (number % 100) & Posting::length_mask, .length = 5, .tag = 0});
    expected[hash].push_back(number);
  }
  for (std::uint64_t hash = 0; hash < 64; ++hash) {
    std::vector<std::uint32_t> got;
    for (const Posting& posting : lists.of(hash)) {
      EXPECT_EQ(posting.position, posting.number % 100);
      got.push_back(posting.number);
    }
    EXPECT_EQ(got, expected[hash]) << hash;
  }
}

TEST(PostingLists, AreEmptyAtFirst) {
  const PostingLists lists(0);
  EXPECT_TRUE(lists.of(0).empty());
  EXPECT_TRUE(lists.of(~std::uint64_t{0}).empty());
}

}  // namespace
}  // namespace qdedup::finder
