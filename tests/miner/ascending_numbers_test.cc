#include "miner/ascending_numbers.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

void expect_found(const std::vector<std::uint64_t>& numbers) {
  AscendingNumbers ascending;
  for (const std::uint64_t number : numbers) ascending.append(number);
  ASSERT_EQ(ascending.size(), numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) EXPECT_EQ(ascending[place], numbers[place]);
}

TEST(AscendingNumbers, OfNothing) { EXPECT_EQ(AscendingNumbers().size(), 0U); }

TEST(AscendingNumbers, GoOnBeyondEachBoundOf32Bits) {
  constexpr std::uint64_t bound = std::uint64_t{1} << 32U;
  expect_found({0, 0, 7, bound - 1});
  expect_found({bound});
  expect_found({bound - 1, bound, bound, bound + 1, 2 * bound - 1, 2 * bound});
  expect_found({5, 3 * bound + 4, 3 * bound + 4, 9 * bound});  // over several at once
}

TEST(AscendingNumbers, AreThoseThatWereAppended) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    const int bits = static_cast<int>(random() % 34);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t number = 0; numbers.size() < 300; number += random() >> (63 - bits))
      numbers.push_back(number);
    expect_found(numbers);
  }
}

}  // namespace
}  // namespace qdedup::miner
