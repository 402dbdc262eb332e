#include "miner/id_numbers.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
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
void expect_as_set(const std::vector<Ids>& calls, std::uint64_t occurrences, std::uint64_t spare_bytes = 0) {
  IdNumbers numbers(occurrences, spare_bytes);
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
  IdNumbers numbers(0);
  numbers.add({});
  numbers.number_ids();
  EXPECT_EQ(numbers.size(), 0U);
  EXPECT_EQ(all_ids(numbers), Ids());
}

TEST(IdNumbers, AscendWithTheIds) {
  IdNumbers numbers(6);
  numbers.add(Ids{1000, 70, max_question_id});
  numbers.add(Ids{1, 70, 69});
  numbers.number_ids();
  EXPECT_THAT(all_ids(numbers), ElementsAre(1, 69, 70, 1000, max_question_id));
  EXPECT_THAT(numbers_of(numbers, {max_question_id, 1, 70, 70, 1000, 69}), ElementsAre(4, 0, 2, 2, 3, 1));
}

TEST(IdNumbers, AtTheEdgesOfTheDenseRange) {
  for (const std::uint64_t occurrences : {0U, 1U, 2U}) {
    const QuestionId first = 1000;
    const auto end = first + static_cast<QuestionId>(64 * occurrences);
    expect_as_set(
        {{first, end - 1 < first ? first : end - 1, end, end + 1}, {first - 1, 1, first + 63, first + 64}},
        occurrences);
  }
}

TEST(IdNumbers, AgreeWithASetWhateverIsDense) {
  std::mt19937_64 random(1);
  for (const std::uint64_t span : {std::uint64_t{300}, std::uint64_t{100'000}, std::uint64_t{1} << 62U}) {
    for (const std::uint64_t occurrences : {0U, 1U, 50U, 3000U}) {
      const std::uint64_t lowest = 1 + random() % 100'000;
      std::vector<Ids> calls(5);
      for (Ids& ids : calls) {
        for (std::size_t i = random() % 900; i > 0; --i) {
          ids.push_back(static_cast<QuestionId>(lowest + random() % span));
        }
      }
      expect_as_set(calls, occurrences);
      expect_as_set(calls, occurrences, 100'000);
    }
  }
}

}  // namespace
}  // namespace qdedup::miner
