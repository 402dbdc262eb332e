#include "miner/numbered_lists.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "miner/seed_lists.h"
#include "tests/reference/merging.h"
#include "tests/support/seed_list_samples.h"

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

using support::as_seed_lists;
using testing::ElementsAre;
using testing::IsEmpty;
using Ids = std::vector<QuestionId>;

// The last share comes first.
void backwards(std::size_t count, const std::function<void(std::size_t)>& work) {
  while (count-- > 0) work(count);
}

std::vector<SeedList> in_canonical_order(const SeedLists& lists) {
  IdNumbers numbers({.added = lists.all_ids().size()});
  numbers.add(lists.all_ids());
  numbers.number_ids();
  NumberedLists numbered;
  numbered.append(lists, numbers);
  std::vector<SeedList> ordered;
  for (const std::uint32_t list : canonical_order(numbered, backwards)) {
    ordered.push_back({lists.top_score(list), Ids(lists.ids(list).begin(), lists.ids(list).end())});
  }
  return ordered;
}

std::vector<Ids> canonical_ids(const std::vector<SeedList>& lists) {
  std::vector<Ids> ids;
  for (const SeedList& list : in_canonical_order(as_seed_lists(lists))) ids.push_back(list.ids);
  return ids;
}

void expect_same(const std::vector<SeedList>& actual, const std::vector<SeedList>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].top_score, expected[i].top_score);
    ASSERT_EQ(actual[i].ids, expected[i].ids);
  }
}

TEST(NumberedLists, HoldNumbersInPlaceOfIds) {
  const SeedLists lists = as_seed_lists({{0.9, {30, 10}}, {0.8, {20, 10, max_question_id}}});
  IdNumbers numbers({.added = 5});
  numbers.add(lists.all_ids());
  numbers.number_ids();
  NumberedLists numbered;
  numbered.append(lists, numbers);
  numbered.append(lists, numbers);
  ASSERT_EQ(numbered.size(), 4U);
  EXPECT_EQ(numbered.top_score(1), 0.8);
  EXPECT_THAT(numbered.members(0), ElementsAre(2, 0));
  EXPECT_THAT(numbered.members(3), ElementsAre(1, 0, 3));
}

TEST(CanonicalOrder, OfNothingIsNothing) { EXPECT_THAT(canonical_order(NumberedLists()), IsEmpty()); }

TEST(CanonicalOrder, TiesGoNumberByNumber) {
  EXPECT_THAT(
      canonical_ids({{0.9, {10, 1}}, {0.9, {9, 2}}, {0.9, {9, 1, 1000}}, {0.9, {9, 1}}, {0.9, {9, 1, 20}}}),
      ElementsAre(Ids{9, 1}, Ids{9, 1, 20}, Ids{9, 1, 1000}, Ids{9, 2}, Ids{10, 1}));
}

TEST(CanonicalOrder, AgreesWithItsTwinInEveryOrder) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<SeedList> lists = support::random_seed_lists(random, 1 + random() % 60, 1 + random() % 8);
    const std::vector<SeedList> expected = reference::canonical_lists(lists);
    expect_same(in_canonical_order(as_seed_lists(lists)), expected);
    std::shuffle(lists.begin(), lists.end(), random);
    expect_same(in_canonical_order(as_seed_lists(lists)), expected);
  }
}

// So many that they are spread by their scores, most of which are near each other, while some are far away.
TEST(CanonicalOrder, AgreesWithItsTwinOnManyLists) {
  std::mt19937_64 random(3);
  for (const std::size_t count : {63U, 64U, 65U, 1000U, 70'000U}) {
    std::vector<SeedList> lists = support::random_seed_lists(random, count, count / 2);
    for (SeedList& list : lists) {
      const auto kind = random() % 100;
      if (kind < 50) list.top_score += static_cast<double>(random() % 1000) * 1e-6;
      if (kind == 99) list.top_score = std::ldexp(1.0, static_cast<int>(random() % 600) - 300);
    }
    expect_same(in_canonical_order(as_seed_lists(lists)), reference::canonical_lists(lists));
  }
}

TEST(CanonicalOrder, TakesNegativeScoresAndBothZeros) {
  EXPECT_THAT(canonical_ids({{-0.0, {5, 6}}, {-2.5, {1, 2}}, {0.0, {3, 4}}, {1e300, {9, 8}}, {-1.5, {7, 8}}}),
              ElementsAre(Ids{9, 8}, Ids{3, 4}, Ids{5, 6}, Ids{7, 8}, Ids{1, 2}));
}

}  // namespace
}  // namespace qdedup::miner
