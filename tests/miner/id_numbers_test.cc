#include "miner/id_numbers.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

TEST(IdIndex, NumbersIdsAsTheyAppear) {
  IdIndex index;
  EXPECT_EQ(index.insert(7), 0U);
  EXPECT_EQ(index.insert(max_question_id), 1U);
  EXPECT_EQ(index.insert(7), 0U);
  EXPECT_EQ(index.insert(1), 2U);
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(index.ids(), (std::vector<QuestionId>{7, max_question_id, 1}));
}

TEST(IdIndex, AgreesWithAMapWhileItGrows) {
  std::mt19937_64 random(1);
  IdIndex index;
  std::map<QuestionId, std::uint32_t> expected;
  for (int i = 0; i < 100000; ++i) {
    const auto id = static_cast<QuestionId>(1 + random() % 20000 * 4096);
    const auto number = expected.emplace(id, static_cast<std::uint32_t>(expected.size())).first->second;
    ASSERT_EQ(index.insert(id), number);
  }
  EXPECT_EQ(index.size(), expected.size());
  for (const auto& [id, number] : expected) ASSERT_EQ(index.ids()[number], id);
}

TEST(IdIndex, ManyAtOnceAreNumberedLikeOneByOne) {
  std::mt19937_64 random(2);
  std::vector<QuestionId> ids(50'000);
  for (QuestionId& id : ids) id = static_cast<QuestionId>(1 + random() % 20'000);
  IdIndex one_by_one;
  for (const QuestionId id : ids) one_by_one.insert(id);
  IdIndex index;
  index.insert_all(std::span(ids).first(10));
  index.insert_all(std::span(ids).subspan(10));
  EXPECT_EQ(index.ids(), one_by_one.ids());
}

TEST(IdIndex, CanNumberIdsByTheirOrder) {
  IdIndex index;
  for (const QuestionId id : {70, 7, 700}) index.insert(id);
  index.number_by_id();
  EXPECT_EQ(index.ids(), (std::vector<QuestionId>{7, 70, 700}));
  EXPECT_EQ(index.number_of(7), 0U);
  EXPECT_EQ(index.number_of(70), 1U);
  EXPECT_EQ(index.number_of(700), 2U);
}

using testing::ElementsAre;
using testing::ElementsAreArray;
using Ids = std::vector<QuestionId>;

std::vector<std::uint32_t> numbers_of(const IdNumbers& numbers, const Ids& ids) {
  std::vector<std::uint32_t> result(ids.size());
  numbers.numbers_of(ids, result);
  return result;
}

Ids all_ids(const IdNumbers& numbers) {
  Ids ids;
  numbers.for_each([&](QuestionId id) { ids.push_back(id); });
  return ids;
}

// A set says what is right.
void expect_as_set(const std::vector<Ids>& calls, const IdNumbers::Uses& uses,
                   std::uint64_t spare_bytes = 0) {
  IdNumbers numbers(uses, spare_bytes);
  std::set<QuestionId> expected;
  for (const Ids& ids : calls) {
    numbers.add(ids);
    expected.insert(ids.begin(), ids.end());
  }
  numbers.number_ids();
  ASSERT_EQ(numbers.size(), expected.size());
  ASSERT_THAT(all_ids(numbers), ElementsAreArray(expected));
  const Ids ascending(expected.begin(), expected.end());
  std::vector<std::uint32_t> order(ascending.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  ASSERT_EQ(numbers_of(numbers, ascending), order);
  Ids around = {min_question_id, max_question_id};
  for (const QuestionId id : ascending) {
    if (id > min_question_id) around.push_back(id - 1);
    if (id < max_question_id) around.push_back(id + 1);
  }
  std::vector<std::uint32_t> found(around.size());
  numbers.find(around, found);
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto place = expected.find(around[i]);
    const auto number = static_cast<std::uint32_t>(std::distance(expected.begin(), place));
    ASSERT_EQ(found[i], place == expected.end() ? IdNumbers::none : number) << around[i];
  }
  if (expected.empty()) return;
  ASSERT_EQ(numbers.range(), std::pair(*expected.begin(), *expected.rbegin()));
}

TEST(IdNumbers, NothingHasNoNumbers) {
  IdNumbers numbers({});
  numbers.add({});
  numbers.number_ids();
  EXPECT_EQ(numbers.size(), 0U);
  EXPECT_EQ(all_ids(numbers), Ids());
}

TEST(IdNumbers, AscendWithTheIds) {
  IdNumbers numbers({.added = 6});
  numbers.add(Ids{1000, 70, max_question_id});
  numbers.add(Ids{1, 70, 69});
  numbers.number_ids();
  EXPECT_THAT(all_ids(numbers), ElementsAre(1, 69, 70, 1000, max_question_id));
  EXPECT_THAT(numbers_of(numbers, {max_question_id, 1, 70, 70, 1000, 69}), ElementsAre(4, 0, 2, 2, 3, 1));
}

Ids from(QuestionId first, std::size_t count) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

TEST(IdNumbers, AtTheEdgesOfTheDenseRange) {
  constexpr std::size_t deciding = IdNumbers::deciding_ids;
  for (const std::uint64_t added : {deciding / 64 - 1, deciding / 64, deciding / 64 + 1}) {
    const QuestionId first = 1000;
    const auto end = first + static_cast<QuestionId>(64 * added);
    const Ids around = {end - 1, end, end + 1, first - 1, 1, first + 63, first + 64, first + 300};
    expect_as_set({from(first, deciding - 1), around}, {.added = added});
    expect_as_set({from(first, deciding), around}, {.added = added});
    expect_as_set({from(first, 100), from(first, deciding + 1), around}, {.added = added});
    expect_as_set({from(first, deciding), around}, {.added = 1, .looked_up = added}, 12 * added);
  }
}

TEST(IdNumbers, AreSparseWhereTheFirstAreFarApart) {
  const Ids near = from(1000, 2 * IdNumbers::deciding_ids);
  for (const std::size_t wild : {1U, 20U, 30U, 200U}) {
    Ids ids;
    for (std::size_t i = 0; i < wild; ++i) {
      ids.push_back(max_question_id - static_cast<QuestionId>(1'000'000'007 * i));
    }
    ids.insert(ids.end(), near.begin(), near.end());
    expect_as_set({ids, {1, 2, 999}}, {.added = ids.size()});
  }
}

TEST(IdNumbers, AgreeWithASetWhateverIsDense) {
  std::mt19937_64 random(1);
  for (const std::uint64_t span : {std::uint64_t{300}, std::uint64_t{100'000}, std::uint64_t{1} << 62U}) {
    for (const std::uint64_t added : {0U, 1U, 50U, 3000U}) {
      const std::uint64_t lowest = 1 + random() % 100'000;
      std::vector<Ids> calls(5);
      for (Ids& ids : calls) {
        for (std::size_t i = random() % 900; i > 0; --i) {
          ids.push_back(static_cast<QuestionId>(lowest + random() % span));
        }
      }
      expect_as_set(calls, {.added = added});
      expect_as_set(calls, {.added = added, .looked_up = 5000}, 100'000);
    }
  }
}

}  // namespace
}  // namespace qdedup::miner
