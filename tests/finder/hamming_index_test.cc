#include "finder/hamming_index.h"

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::finder {
namespace {

std::vector<std::uint64_t> found_by(const HammingIndex& index, std::uint64_t hash) {
  std::vector<std::uint64_t> numbers;
  index.find(hash, [&](const HashRecord& record) { numbers.push_back(record.number); });
  std::ranges::sort(numbers);
  return numbers;
}

// The slow twin: each bit of each hash, one after the other.
std::vector<std::uint64_t> found_by_twin(const std::vector<HashRecord>& records, std::uint64_t hash,
                                         unsigned distance) {
  std::vector<std::uint64_t> numbers;
  for (const HashRecord& record : records) {
    unsigned different = 0;
    for (unsigned bit = 0; bit < 64; ++bit) different += (record.hash ^ hash) >> bit & 1U;
    if (different <= distance) numbers.push_back(record.number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

// Distance and radius.
class HammingIndexTest : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {
 protected:
  [[nodiscard]] static HammingPlan plan() {
    return {.distance = std::get<0>(GetParam()), .radius = std::get<1>(GetParam())};
  }

  // Half of them differ from one before in some bits: around the distance, anywhere or in one block.
  std::uint64_t next_hash() {
    if (hashes_.empty() || random_() % 2 == 0) {
      hashes_.push_back(random_());
      return hashes_.back();
    }
    std::uint64_t hash = hashes_[random_() % hashes_.size()];
    const auto changes = random_() % (plan().distance + 3);
    const std::uint64_t width = random_() % 2 == 0 ? 64 : 12;
    const auto begin = random_() % 64;
    for (std::size_t i = 0; i < changes; ++i) hash ^= std::uint64_t{1} << ((begin + random_() % width) % 64);
    hashes_.push_back(hash);
    return hash;
  }

  std::mt19937_64 random_{7};
  std::vector<std::uint64_t> hashes_;
};

TEST_P(HammingIndexTest, FindsWhatTheTwinFinds) {
  std::vector<HashRecord> records;
  for (std::uint64_t number = 1; number <= 5000; ++number) records.push_back({next_hash(), number});
  int reported = 0;
  const HammingIndex index(plan(), records, [&] { ++reported; });
  EXPECT_EQ(index.size(), records.size());
  EXPECT_EQ(reported, static_cast<int>(plan().tables()));
  for (int i = 0; i < 600; ++i) {
    const std::uint64_t hash = next_hash();
    ASSERT_EQ(found_by(index, hash), found_by_twin(records, hash, plan().distance));
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, HammingIndexTest,
                         testing::Combine(testing::Values(0U, 1U, 2U, 3U, 4U, 6U, 15U),
                                          testing::Values(0U, 1U, 2U, 3U)),
                         [](const auto& tested) {
                           return "Distance" + std::to_string(std::get<0>(tested.param)) + "Radius" +
                                  std::to_string(std::get<1>(tested.param));
                         });

TEST(HammingIndex, MayBeEmpty) {
  EXPECT_TRUE(found_by(HammingIndex({.distance = 3, .radius = 1}, {}), 0).empty());
}

TEST(HammingIndex, HasTheSameHashManyTimes) {
  std::vector<HashRecord> records = {{8, 5}};
  for (std::uint64_t number = 10; number < 5010; ++number) records.push_back({9, number});
  const HammingIndex index({}, records);
  EXPECT_EQ(found_by(index, 9).size(), 5001U);
  EXPECT_EQ(index.at(0).number, 5U);
}

TEST(HammingIndex, ReadsHashesOfSixteenDigits) {
  EXPECT_EQ(parse_hash("0000000000000000"), 0U);
  EXPECT_EQ(parse_hash("FFFFffff00000001"), 0xFFFF'FFFF'0000'0001U);
  for (const std::string_view wrong :
       {"", "1", "000000000000000", "00000000000000000", "000000000000000g", "+000000000000001",
        "-000000000000001", "0x00000000000001", " 000000000000001", "000000000000001 "}) {
    EXPECT_EQ(parse_hash(wrong), std::nullopt) << wrong;
  }
}

TEST(HammingPlan, TakesALargerRadiusForMoreHashesAndGreaterDistances) {
  EXPECT_EQ(HammingPlan::of(3, 50'000).radius, 0U);
  EXPECT_EQ(HammingPlan::of(3, 50'000'000).tables(), 2U);
  EXPECT_EQ(HammingPlan::of(8, 10'000'000).tables(), 3U);
  EXPECT_EQ(HammingPlan::of(0, 50'000'000).tables(), 1U);
}

}  // namespace
}  // namespace qdedup::finder
