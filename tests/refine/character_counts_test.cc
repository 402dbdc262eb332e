#include "refine/character_counts.h"

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

TEST(CharacterCounts, AnEmptyBankHasNone) {
  const CharacterCounts counts;
  EXPECT_EQ(counts.questions(), 0U);
  EXPECT_EQ(counts.count(U'树'), 0U);
}

TEST(CharacterCounts, CountsQuestionsNotOccurrences) {
  CharacterCounts counts;
  counts.add("树树树");
  counts.add("树木");
  EXPECT_EQ(counts.questions(), 2U);
  EXPECT_EQ(counts.count(U'树'), 2U);
  EXPECT_EQ(counts.count(U'木'), 1U);
}

TEST(CharacterCounts, RemovingTakesBackWhatAddingCounted) {
  CharacterCounts counts;
  counts.add("树木");
  const CharacterCounts before = counts;
  counts.add("木头");
  counts.remove("木头");
  EXPECT_EQ(counts, before);
}

TEST(CharacterCounts, RemovingStopsAtNothing) {
  CharacterCounts counts;
  counts.remove("树");
  EXPECT_EQ(counts, CharacterCounts());
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

}  // namespace
}  // namespace qdedup::refine
