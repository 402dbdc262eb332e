#include "refine/character_counts.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/refine/trap_text.h"

namespace qdedup::refine {
namespace {

TEST(CharacterCounts, CountsQuestionsNotOccurrences) {
  CharacterCounts counts;
  counts.add("树树树");
  counts.add("树木");
  EXPECT_EQ(counts.questions(), 2U);
  EXPECT_EQ(counts.count(U'树'), 2U);
  EXPECT_EQ(counts.count(U'木'), 1U);
}

TEST(CharacterCounts, MergesAsIfAddedTogether) {
  CharacterCounts all;
  all.add("树木");
  all.add("木头");
  CharacterCounts one;
  one.add("树木");
  CharacterCounts other;
  other.add("木头");
  one.merge(other);
  EXPECT_EQ(one, all);
}

TEST(CharacterCounts, RestoresStoredCounts) {
  CharacterCounts counts;
  counts.add("树木");
  CharacterCounts restored;
  restored.set_questions(counts.questions());
  for (const auto& [code_point, questions] : counts.counts()) restored.set_count(code_point, questions);
  EXPECT_EQ(restored, counts);
  restored.set_count(U'树', 0);
  EXPECT_EQ(restored.counts().size(), 1U);
}

using Changes = std::vector<std::pair<char32_t, std::int64_t>>;

TEST(CharacterChanges, WhatEntersAndLeavesIsNoChange) {
  CharacterChanges changes;
  changes.enter("甲乙");
  changes.leave("乙丙");
  changes.leave("丙");
  EXPECT_EQ(changes.take(), (Changes{{U'丙', -2}, {U'甲', 1}}));
  EXPECT_EQ(changes.take(), Changes());
}

// CharacterCounts is the slow twin.
TEST(CharacterChanges, AgreeWithCounts) {
  std::mt19937_64 random(1);
  CharacterCounts counts;
  CharacterChanges changes;
  std::map<char32_t, std::int64_t> sums;
  for (int i = 0; i < 3000; ++i) {
    std::string text = to_utf8(trap_text(random, random() % 20));
    if (i % 5 == 0) text += static_cast<char>(random());
    counts.add(text);
    changes.enter(text);
    if (i % 100 != 99) continue;
    for (const auto& [code_point, change] : changes.take()) sums[code_point] += change;
  }
  ASSERT_EQ(sums.size(), counts.counts().size());
  for (const auto& [code_point, sum] : sums) {
    ASSERT_EQ(static_cast<std::uint64_t>(sum), counts.count(code_point))
        << std::hex << static_cast<unsigned>(code_point);
  }
}

}  // namespace
}  // namespace qdedup::refine
