#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "finder/set_finder.h"
#include "finder/simhash_finder.h"
#include "iteration/near_groups.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

using Rows = std::set<std::tuple<QuestionId, QuestionId, finder::Nearness>>;

Result<NearPairs> near_in(SampleState& sample, std::unique_ptr<finder::NearFinder> finder,
                          std::size_t max_pairs = 100) {
  return near_pairs(sample.bank, std::move(finder), han_or_signs, 2, max_pairs, no_progress);
}

Rows rows_of(const NearPairs& near) {
  Rows rows;
  for (const NearPair& pair : near.pairs)
    rows.emplace(near.ids[pair.question], near.ids[pair.near], pair.nearness);
  EXPECT_EQ(rows.size(), near.pairs.size());
  EXPECT_TRUE(std::ranges::is_sorted(near.pairs));
  return rows;
}

std::map<QuestionId, QuestionId> firsts_of(const NearPairs& near) {
  std::map<QuestionId, QuestionId> firsts;
  for (std::size_t i = 0; i < near.ids.size(); ++i) firsts[near.ids[i]] = near.ids[near.firsts[i]];
  return firsts;
}

const std::map<QuestionId, std::string> sample_questions = {
    {1, "甲乙丙丁"},     {3, "甲乙丙丁戊"}, {4, "甲乙丙丁"}, {6, "子丑寅卯"},
    {7, "甲乙丙丁戊己"}, {8, "，"},         {9, "，"}};

// 4 is paired with 1, whose text it has, and only with it. Texts without features are near nothing.
TEST(NearPairs, AreOfTheFirstOfEqualTexts) {
  SampleState sample;
  sample.put(sample_questions);
  const auto near = must(near_in(sample, std::make_unique<finder::SetFinder>(finder::SetSettings{
                                             .min_similarity = 80, .features = {.gram = 1}})));
  EXPECT_EQ(rows_of(near), (Rows{{1, 3, 8000}, {1, 4, 10'000}, {3, 7, 8333}}));
  EXPECT_EQ(firsts_of(near),
            (std::map<QuestionId, QuestionId>{{1, 1}, {3, 1}, {4, 1}, {6, 6}, {7, 1}, {8, 8}, {9, 9}}));
}

TEST(NearPairs, OfHashesHaveADistance) {
  SampleState sample;
  sample.put(sample_questions);
  const auto near =
      must(near_in(sample, std::make_unique<finder::SimhashFinder>(finder::SimhashSettings{.distance = 0})));
  EXPECT_EQ(rows_of(near), (Rows{{1, 4, 0}}));
}

TEST(NearPairs, ThatAreTooManyAreRefused) {
  SampleState sample;
  sample.put(sample_questions);
  const auto find = [&](std::size_t max_pairs) {
    return near_in(sample, std::make_unique<finder::SetFinder>(finder::SetSettings{.features = {.gram = 1}}),
                   max_pairs);
  };
  EXPECT_TRUE(find(3).ok());
  ASSERT_FALSE(find(2).ok());
  EXPECT_EQ(find(2).error().code, ErrorCode::config);
}

}  // namespace
}  // namespace qdedup::iteration
