#include "miner/seed_lists.h"

#include <optional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/selecting.h"
#include "tests/support/seed_list_samples.h"

namespace qdedup::miner {
namespace {

using Ids = std::vector<QuestionId>;

std::optional<SeedList> selected(const std::vector<ScoredId>& pairs, const SelectionSettings& settings = {}) {
  SeedList seed{9.9, {99}};  // select replaces what was there
  if (!select(pairs, settings, seed)) return std::nullopt;
  return seed;
}

void expect_as_twin(const std::vector<ScoredId>& pairs, const SelectionSettings& settings) {
  const auto actual = selected(pairs, settings);
  const auto expected = reference::select(pairs, settings);
  ASSERT_EQ(actual.has_value(), expected.has_value());
  if (!actual) return;
  ASSERT_EQ(actual->top_score, expected->top_score);
  ASSERT_EQ(actual->ids, expected->ids);
}

TEST(Select, KeepsTheListInItsOrder) {
  const auto seed = selected({{5, 0.9}, {1, 0.3}, {3, 0.8}});
  ASSERT_TRUE(seed);
  EXPECT_EQ(seed->top_score, 0.9);
  EXPECT_EQ(seed->ids, (Ids{5, 1, 3}));
}

TEST(Select, DropsPairsBelowMinScore) {
  EXPECT_EQ(selected({{5, 0.9}, {1, 0.299}, {3, 0.3}})->ids, (Ids{5, 3}));
  EXPECT_FALSE(selected({{5, 0.9}, {1, 0.299}}));
}

TEST(Select, DropsRepeatedIdsAndKeepsTheFirst) {
  EXPECT_EQ(selected({{5, 0.9}, {1, 0.8}, {5, 0.7}, {1, 0.6}, {2, 0.5}})->ids, (Ids{5, 1, 2}));
  EXPECT_FALSE(selected({{5, 0.9}, {5, 0.8}, {5, 0.7}}));
}

TEST(Select, DropsLowScoresBeforeRepeatedIds) {
  const auto seed = selected({{5, 0.1}, {1, 0.8}, {5, 0.7}});
  EXPECT_EQ(seed->ids, (Ids{1, 5}));
  EXPECT_EQ(seed->top_score, 0.8);
}

TEST(Select, AsksTheFirstRemainingPairForMinTopScore) {
  EXPECT_TRUE(selected({{1, 0.5}, {2, 0.3}}));
  EXPECT_FALSE(selected({{1, 0.499}, {2, 0.3}}));
  EXPECT_FALSE(selected({{1, 0.4}, {2, 0.9}}));  // the first, not the best
  EXPECT_TRUE(selected({{9, 0.2}, {1, 0.5}, {2, 0.3}}));
}

TEST(Select, AsksForTwoPairs) {
  EXPECT_FALSE(selected({}));
  EXPECT_FALSE(selected({{1, 0.9}}));
}

TEST(Select, TakesTheExampleOfTheRulesAtLowerSettings) {
  const std::vector<ScoredId> pairs = {{1380777178, 0.306}, {1589879284, 0.303}};
  EXPECT_FALSE(selected(pairs));
  EXPECT_TRUE(selected(pairs, {0.3, 0.3}));
}

TEST(Select, AgreesWithItsTwin) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<ScoredId> pairs(random() % 70);
    const std::size_t distinct = 1 + random() % 80;
    for (ScoredId& pair : pairs) {
      pair = {static_cast<QuestionId>(1 + random() % distinct), static_cast<double>(random() % 11) / 10};
    }
    expect_as_twin(pairs, {static_cast<double>(random() % 11) / 10, static_cast<double>(random() % 11) / 10});
  }
}

TEST(Select, AgreesWithItsTwinAroundTheLengthWhereTheMethodChanges) {
  for (QuestionId length = 30; length <= 35; ++length) {
    std::vector<ScoredId> pairs;
    for (QuestionId id = 1; id <= length; ++id) pairs.push_back({id, 0.9});
    expect_as_twin(pairs, {});
    pairs.back().id = 1;
    expect_as_twin(pairs, {});
  }
}

TEST(Select, TakesListsOfTenThousandIds) {
  std::vector<ScoredId> pairs;
  for (QuestionId i = 0; i < 20000; ++i) pairs.push_back({1 + i % 10000, 0.9});
  for (int repeat = 0; repeat < 100; ++repeat) EXPECT_EQ(selected(pairs)->ids.size(), 10000U);
}

using support::as_seed_lists;
using testing::ElementsAre;
using Ids = std::vector<QuestionId>;

TEST(SeedLists, HoldWhatWasAppended) {
  SeedLists lists;
  EXPECT_EQ(lists.size(), 0U);
  lists.append(0.9, Ids{3, 1});
  lists.append(0.8, Ids{2, 5, 4});
  ASSERT_EQ(lists.size(), 2U);
  EXPECT_EQ(lists.top_score(1), 0.8);
  EXPECT_THAT(lists.ids(0), ElementsAre(3, 1));
  EXPECT_THAT(lists.ids(1), ElementsAre(2, 5, 4));
}

TEST(SeedLists, AppendOthersBehindTheirOwn) {
  SeedLists lists = as_seed_lists({{0.9, {3, 1}}});
  lists.append(as_seed_lists({{0.8, {2, 5, 4}}, {0.7, {6, 7}}}));
  lists.append(SeedLists());
  lists.append(0.6, Ids{8, 9});
  ASSERT_EQ(lists.size(), 4U);
  EXPECT_EQ(lists.top_score(2), 0.7);
  EXPECT_THAT(lists.ids(0), ElementsAre(3, 1));
  EXPECT_THAT(lists.ids(1), ElementsAre(2, 5, 4));
  EXPECT_THAT(lists.ids(2), ElementsAre(6, 7));
  EXPECT_THAT(lists.ids(3), ElementsAre(8, 9));
}

TEST(SeedLists, ClearForgetsAll) {
  SeedLists lists = as_seed_lists({{0.9, {3, 1}}});
  lists.clear();
  EXPECT_EQ(lists.size(), 0U);
  lists.append(0.8, Ids{2, 5});
  EXPECT_THAT(lists.ids(0), ElementsAre(2, 5));
}

}  // namespace
}  // namespace qdedup::miner
