#include "finder/key_buckets.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::finder {
namespace {

TEST(KeyBuckets, HoldAllThatHaveAKey) {
  std::mt19937 random(5);
  for (const std::uint32_t things : {0U, 1U, 2U, 50U, 3000U}) {
    std::vector<std::vector<std::uint32_t>> keys(things);
    for (auto& of_thing : keys) {
      for (std::size_t i = random() % 5; i > 0; --i) of_thing.push_back(static_cast<std::uint32_t>(random()));
    }
    if (things > 9) keys[9] = {0, ~0U};
    KeyBuckets buckets;
    EXPECT_TRUE(buckets.of(7).empty());
    ASSERT_TRUE(buckets.build(things, [&](std::uint32_t thing, std::vector<std::uint32_t>& out) {
      out.insert(out.end(), keys[thing].begin(), keys[thing].end());
    }));
    std::size_t held = 0;
    for (std::uint32_t thing = 0; thing < things; ++thing) {
      for (const std::uint32_t key : keys[thing]) {
        const auto having = buckets.of(key);
        EXPECT_TRUE(std::ranges::is_sorted(having));
        EXPECT_TRUE(std::ranges::binary_search(having, thing));
        held += having.size();
      }
    }
    EXPECT_LE(held, 20U * things);
  }
}

TEST(KeyBuckets, RefuseMoreKeysThanTheyCanCount) {
  const auto three_each = [](std::uint32_t thing, std::vector<std::uint32_t>& out) {
    out.insert(out.end(), 3, thing);
  };
  KeyBuckets buckets;
  EXPECT_TRUE(buckets.build(4, three_each, 12));
  EXPECT_EQ(buckets.of(1).size() % 3, 0U);
  EXPECT_FALSE(buckets.build(5, three_each, 12));
  for (std::uint32_t key = 0; key < 5; ++key) EXPECT_TRUE(buckets.of(key).empty());
}

}  // namespace
}  // namespace qdedup::finder
