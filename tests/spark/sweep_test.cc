#include "spark/sweep.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::spark {
namespace {

using Sets = std::set<std::set<QuestionId>>;

Sets connected(const std::vector<engine::CandidateEdge>& edges) {
  std::map<std::int64_t, std::set<QuestionId>> by_bucket;
  for (const auto& [bucket, id] : connected_buckets(edges, 1)) by_bucket[bucket].insert(id);
  Sets sets;
  for (const auto& [bucket, ids] : by_bucket) sets.insert(ids);
  return sets;
}

class RandomSweep : public testing::TestWithParam<unsigned> {
 protected:
  std::mt19937 random{GetParam()};

  std::size_t below(std::size_t end) { return random() % end; }

  std::u32string random_han() {
    std::u32string text(5 * below(9), U'一');
    for (char32_t& c : text) c += static_cast<char32_t>(below(3) == 0 ? below(4) : 0);
    return text;
  }

  std::vector<BlockQuestion> random_questions(std::size_t count) {
    std::vector<BlockQuestion> questions;
    for (std::size_t i = 0; i < count; ++i) {
      const bool repeats = i > 0 && below(4) == 0;
      questions.push_back(
          {static_cast<QuestionId>(i + 1),
           1,
           {below(5) == 0 ? U"2" : U"", repeats ? questions[below(i)].parts.han : random_han()}});
    }
    std::ranges::shuffle(questions, random);
    return questions;
  }
};

// Whatever the blocks, and the order in which they come.
TEST_P(RandomSweep, BlocksConnectWhatAllPairsConnect) {
  const refine::DuplicateSettings settings{
      static_cast<int>(60 + 20 * below(3)),
      refine::similarity_names.at(below(refine::similarity_names.size())).first};
  std::vector<BlockQuestion> questions = random_questions(10 + below(150));
  std::vector<engine::CandidateEdge> expected;
  for (const BlockQuestion& a : questions) {
    for (const BlockQuestion& b : questions) {
      if (a.id < b.id && refine::compare_in_full(a.parts, b.parts, settings).duplicate)
        expected.emplace_back(a.id, b.id);
    }
  }
  std::map<std::size_t, std::uint64_t> lengths;
  for (const BlockQuestion& question : questions) ++lengths[question.parts.han.size()];
  std::vector<LengthCount> counts;
  for (const auto& [length, count] : lengths) counts.push_back({length, count});
  const BlockPlan plan = plan_blocks(counts, 1 + below(40), settings);
  for (BlockQuestion& question : questions) {
    const auto share = std::ranges::find(plan.shares, question.parts.han.size(), &BlockPlan::Share::length);
    question.block = share->first + question.id % share->count;
  }

  std::vector<engine::CandidateEdge> edges;
  for (const std::pair<std::int64_t, std::int64_t>& pair : plan.pairs) {
    std::vector<BlockQuestion> compared;
    std::ranges::copy_if(questions, std::back_inserter(compared), [&](const BlockQuestion& question) {
      return question.block == pair.first || question.block == pair.second;
    });
    if (compared.empty()) continue;
    const auto found = duplicate_edges(compared, settings);
    EXPECT_LT(found.size(), compared.size());
    edges.insert(edges.end(), found.begin(), found.end());
  }
  EXPECT_EQ(connected(edges), connected(expected));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSweep, testing::Range(1U, 60U));

TEST(PlanBlocks, ComparesOnlyLengthsThatCanReachTheThreshold) {
  const std::vector<LengthCount> lengths = {{79, 10}, {80, 10}, {99, 10}, {100, 25}, {101, 5}};
  const BlockPlan plan = plan_blocks(lengths, 10, {});
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {
      {0, 0}, {0, 1},                          // 79 is too short for 99
      {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5},  // 80 is enough for 100, not for 101
      {2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6},  //
      {3, 3}, {3, 4}, {3, 5}, {3, 6}, {4, 4}, {4, 5}, {4, 6}, {5, 5}, {5, 6}, {6, 6}};
  EXPECT_EQ(plan.pairs, expected);
}

TEST(ConnectedBuckets, AreWholeAndOfAboutThatManyIds) {
  const std::vector<engine::CandidateEdge> edges = {{9, 1}, {5, 6}, {2, 7}, {7, 8}};
  const std::vector<std::pair<std::int64_t, QuestionId>> expected = {{0, 1}, {0, 9}, {0, 2}, {0, 7},
                                                                     {0, 8}, {1, 5}, {1, 6}};
  EXPECT_EQ(connected_buckets(edges, 4), expected);
  EXPECT_TRUE(connected_buckets({}, 4).empty());
}

}  // namespace
}  // namespace qdedup::spark
