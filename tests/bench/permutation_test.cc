#include "bench/permutation.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::bench {
namespace {

TEST(Permutation, HitsEveryNumberOnceAndFindsItsWayBack) {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 63U, 64U, 65U, 1000U, 65537U}) {
    const Permutation permutation(size, 7);
    std::vector<bool> hit(size);
    for (std::uint64_t x = 0; x < size; ++x) {
      const std::uint64_t y = permutation(x);
      ASSERT_LT(y, size);
      EXPECT_FALSE(hit[y]) << size << ": " << x;
      hit[y] = true;
      EXPECT_EQ(permutation.inverse(y), x) << size;
    }
  }
}

TEST(Permutation, DependsOnTheSeed) {
  const Permutation one(1000, 1);
  const Permutation other(1000, 2);
  int same = 0;
  for (std::uint64_t x = 0; x < 1000; ++x) same += one(x) == other(x) ? 1 : 0;
  EXPECT_LT(same, 20);
}

}  // namespace
}  // namespace qdedup::bench
