#include "miner/clusters.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/merging.h"
#include "tests/support/sampled.h"
#include "tests/support/seed_list_samples.h"

namespace qdedup::miner {
namespace {

using support::as_seed_lists;
using testing::ElementsAre;
using Ids = std::vector<QuestionId>;

std::vector<Ids> ids_of(const Clusters& clusters) {
  std::vector<Ids> all;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    all.emplace_back(clusters.ids(i).begin(), clusters.ids(i).end());
  return all;
}

std::vector<Ids> merged(const std::vector<SeedList>& lists, std::size_t cap) {
  return ids_of(merge(as_seed_lists(lists), {cap}));
}

// The lists come in two goes.
Clusters merged_within(const std::vector<SeedList>& lists, std::size_t cap, std::uint64_t memory_bytes) {
  const auto middle = lists.begin() + static_cast<std::ptrdiff_t>(lists.size() / 3);
  const SeedLists first = as_seed_lists({lists.begin(), middle});
  const SeedLists second = as_seed_lists({middle, lists.end()});
  const ListSource source = [&](const auto& take) {
    take(first);
    take(second);
    return Status();
  };
  const MergeSettings settings{cap};
  return *merge(source, settings, {.id_occurrences = 4 * lists.size(), .memory_bytes = memory_bytes},
                no_progress);
}

void expect_as_twin(const std::vector<SeedList>& lists, std::size_t cap) {
  const Clusters clusters = merge(as_seed_lists(lists), {cap});
  for (const std::uint64_t memory_bytes : {1U, 300U, 2'000U, 20'000U}) {
    const Clusters in_parts = merged_within(lists, cap, memory_bytes);
    ASSERT_EQ(ids_of(in_parts), ids_of(clusters));
    ASSERT_EQ(in_parts.counts(), clusters.counts());
  }
  const reference::Merged expected = reference::merge(lists, cap);
  std::vector<Ids> expected_ids;
  for (const auto& cluster : expected.clusters) expected_ids.emplace_back(cluster.begin(), cluster.end());
  ASSERT_EQ(ids_of(clusters), expected_ids);
  ASSERT_EQ(clusters.counts(), expected.counts);
}

TEST(Merge, OfNothingIsNothing) {
  const Clusters clusters = merge({}, {});
  EXPECT_EQ(clusters.size(), 0U);
  EXPECT_EQ(clusters.counts(), MergeCounts{});
}

TEST(Merge, TellsWhatIsWrongWithItsSource) {
  const ListSource source = [](const auto&) { return Status(Error{ErrorCode::data, "damaged"}); };
  EXPECT_EQ(merge(source, {}, {}, no_progress).error().message, "damaged");
}

// Lists are sorted at once, or in parts.
TEST(Merge, TellsEachTimeListsAreRead) {
  std::mt19937_64 random(7);
  const std::vector<SeedList> lists = support::random_seed_lists(random, 3000, 1000);
  const SeedLists block = as_seed_lists({lists.begin(), lists.begin() + 300});
  for (const std::uint64_t memory_bytes : {std::uint64_t{1'000}, std::uint64_t{1} << 30U}) {
    std::uint64_t handed_over = 0;
    std::uint64_t told = 0;
    std::uint64_t last = 0;
    const ListSource source = [&](const auto& take) {
      for (int i = 0; i < 10; ++i, ++handed_over) {
        EXPECT_EQ(told, handed_over);
        take(block);
      }
      return Status();
    };
    const Progress progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total, auto) {
      if (stage == "merge") return;
      ++told;
      if (stage != "order") return;
      EXPECT_GT(done, last);
      EXPECT_LE(done, total);
      last = done;
    };
    ASSERT_TRUE(merge(source, {}, {.id_occurrences = 12'000, .memory_bytes = memory_bytes}, progress).ok());
    EXPECT_EQ(told, handed_over);
    EXPECT_GE(handed_over, memory_bytes == 1'000 ? 100U : 20U);
  }
}

TEST(Merge, JoinsListsThatShareAnId) {
  EXPECT_THAT(merged({{0.9, {5, 3}}, {0.8, {9, 7}}, {0.7, {3, 1, 4}}}, 200),
              ElementsAre(Ids{1, 3, 4, 5}, Ids{7, 9}));
}

TEST(Merge, CountsWhatItDid) {
  const std::vector<SeedList> lists = {{0.9, {1, 2}}, {0.9, {1, 2}}, {0.8, {2, 1}}, {0.7, {2, 3}}};
  const MergeCounts counts = merge(as_seed_lists(lists), {2}).counts();
  EXPECT_EQ(counts.lists, 4U);
  EXPECT_EQ(counts.distinct_lists, 3U);
  EXPECT_EQ(counts.ids, 3U);
  EXPECT_EQ(counts.joins, 1U);
  EXPECT_EQ(counts.refused_joins, 1U);  // what is joined already is neither joined nor refused
  EXPECT_EQ(counts.clusters, 2U);       // 3 stays alone
  EXPECT_EQ(counts.largest_cluster, 2U);
}

TEST(Merge, TheCapHoldsExactly) {
  EXPECT_THAT(merged({{0.9, {1, 2, 3}}, {0.8, {4, 5}}, {0.7, {1, 4}}}, 5), ElementsAre(Ids{1, 2, 3, 4, 5}));
  EXPECT_THAT(merged({{0.9, {1, 2, 3}}, {0.8, {4, 5}}, {0.7, {1, 4}}}, 4),
              ElementsAre(Ids{1, 2, 3}, Ids{4, 5}));
}

TEST(Merge, ARefusedJoinDoesNotStopTheList) {
  // 1+{2,3} would be too many, 1+4 is not.
  EXPECT_THAT(merged({{0.9, {2, 3}}, {0.8, {1, 2, 4}}}, 2), ElementsAre(Ids{1, 4}, Ids{2, 3}));
}

TEST(Merge, BetterListsComeFirst) {
  EXPECT_THAT(merged({{0.6, {1, 2}}, {0.9, {1, 3}}}, 2), ElementsAre(Ids{1, 3}, Ids{2}));
  EXPECT_THAT(merged({{0.6, {1, 2}}, {0.6, {1, 3}}}, 2), ElementsAre(Ids{1, 2}, Ids{3}));
  EXPECT_THAT(merged({{0.6, {1, 2}}, {0.6, {1, 3}}, {0.9, {1, 2}}, {0.7, {1, 3}}}, 2),
              ElementsAre(Ids{1, 2}, Ids{3}));
}

TEST(Merge, MembersAreJoinedInListedOrder) {
  EXPECT_THAT(merged({{0.9, {1, 9, 2, 8}}}, 3), ElementsAre(Ids{1, 2, 9}, Ids{8}));
}

TEST(Merge, TheFirstIdIsJoinedWithEachMember) {
  // Were members joined with each other, 2 and 3 would be one cluster.
  EXPECT_THAT(merged({{0.9, {1, 4}}, {0.8, {1, 2, 3}}}, 2), ElementsAre(Ids{1, 4}, Ids{2}, Ids{3}));
}

TEST(Merge, AgreesWithItsTwin) {
  std::mt19937_64 random(1);
  for (const std::size_t cap : {2U, 3U, 4U, 5U, 7U, 10U, 20U, 200U}) {
    for (int i = 0; i < sampled(150); ++i) {
      expect_as_twin(support::random_seed_lists(random, random() % 80, 1 + random() % 150), cap);
    }
  }
}

TEST(Merge, TakesTheSmallestAndLargestIds) {
  EXPECT_THAT(merged({{0.9, {max_question_id, 1}}, {0.8, {max_question_id, max_question_id - 1}}}, 200),
              ElementsAre(Ids{1, max_question_id - 1, max_question_id}));
}

TEST(Merge, TakesListsOfTenThousandIds) {
  std::vector<SeedList> lists;
  for (QuestionId list = 0; list < 20; ++list) {
    SeedList seed{0.9, {}};
    for (QuestionId i = 1; i <= 10000; ++i) seed.ids.push_back(list * 10000 + i);
    lists.push_back(seed);
    lists.push_back(seed);
  }
  const Clusters clusters = merge(as_seed_lists(lists), {200});
  EXPECT_THAT(clusters.sizes(), ElementsAre(std::pair(1, 20 * 9800), std::pair(200, 20)));
  EXPECT_EQ(clusters.ids(0).size(), 200U);
  EXPECT_EQ(clusters.counts().refused_joins, 20U * 9800U);
}

// Fault 25.
TEST(Merge, OneIdInAHundredThousandListsKeepsTheCap) {
  std::vector<SeedList> lists;
  for (QuestionId other = 2; other <= 100001; ++other) lists.push_back({0.9, {other, 1}});
  const Clusters clusters = merge(as_seed_lists(lists), {200});
  ASSERT_THAT(clusters.sizes(), ElementsAre(std::pair(1, 100001 - 200), std::pair(200, 1)));
  EXPECT_EQ(clusters.ids(0).size(), 200U);
  EXPECT_EQ(clusters.ids(0).back(), 200);
  EXPECT_EQ(clusters.counts().refused_joins, 100000U - 199U);
}

}  // namespace
}  // namespace qdedup::miner
