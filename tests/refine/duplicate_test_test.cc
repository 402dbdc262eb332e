#include "refine/duplicate_test.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

Comparison compare_texts(std::string_view a, std::string_view b, const DuplicateSettings& settings = {}) {
  return compare(parts_of(a), parts_of(b), settings);
}

// Han parts of 100 characters that differ in `differences` of them.
Comparison compare_hundred(std::size_t differences, int min_similarity) {
  Parts a{.signs = {}, .han = std::u32string(100, U'甲')};
  Parts b = a;
  for (std::size_t i = 0; i < differences; ++i) b.han[i * 100 / differences] = U'乙';
  return compare(a, b, {.min_similarity = min_similarity});
}

TEST(DuplicateTest, KnownAnswerOtherSigns) {
  const Comparison result = compare_texts("A比B大10", "B比A小10");
  EXPECT_FALSE(result.same_signs);
  EXPECT_FALSE(result.duplicate);
}

TEST(DuplicateTest, KnownAnswerExactlyEightyPercent) {
  const Comparison result = compare_texts("小红买10本书", "小明买10本书");
  EXPECT_TRUE(result.duplicate);
  EXPECT_EQ(result.distance, 1U);
  EXPECT_EQ(result.length, 5U);
}

TEST(DuplicateTest, KnownAnswerOneCharacterMore) {
  const Comparison result = compare_texts("今天空气温度为10度", "今天的空气温度为10度");
  EXPECT_TRUE(result.duplicate);
  EXPECT_EQ(result.distance, 1U);
  EXPECT_EQ(result.length, 9U);
}

TEST(DuplicateTest, TwoEmptyHanPartsAreSimilar) {
  const Comparison result = compare_texts("1+1=", "1 + 1 =");
  EXPECT_TRUE(result.duplicate);
  EXPECT_EQ(result.distance, 0U);
  EXPECT_EQ(result.length, 0U);
}

TEST(DuplicateTest, AnEmptyHanPartIsNotSimilarToAnother) {
  EXPECT_FALSE(compare_texts("1+1=", "求1+1=").duplicate);
  EXPECT_FALSE(compare_texts("1+1=", "求1+1=", {.min_similarity = 1}).duplicate);
}

TEST(DuplicateTest, DecidesExactlyAtTheThreshold) {
  EXPECT_TRUE(compare_hundred(19, 80).duplicate);
  EXPECT_TRUE(compare_hundred(20, 80).duplicate);
  EXPECT_FALSE(compare_hundred(21, 80).duplicate);
  EXPECT_TRUE(compare_hundred(19, 81).duplicate);
  EXPECT_FALSE(compare_hundred(20, 81).duplicate);
  EXPECT_TRUE(compare_hundred(21, 79).duplicate);
  EXPECT_FALSE(compare_hundred(22, 79).duplicate);
}

TEST(DuplicateTest, AtHundredPercentOnlyEqualHanPartsAreSimilar) {
  EXPECT_TRUE(compare_hundred(0, 100).duplicate);
  EXPECT_FALSE(compare_hundred(1, 100).duplicate);
}

TEST(DuplicateTest, BeyondTheLimitTheDistanceIsALowerBound) {
  const Comparison result = compare_hundred(60, 80);
  EXPECT_EQ(result.distance, 21U);
  EXPECT_EQ(result.length, 100U);
}

TEST(DuplicateTest, LcsCountsAReplacementOnceAndAMoveOnce) {
  const DuplicateSettings lcs{.similarity = Similarity::lcs};
  EXPECT_EQ(compare_texts("小红买10本书", "小明买10本书", lcs).distance, 1U);
  EXPECT_FALSE(compare_texts("甲乙丙丁戊", "戊甲乙丙丁").duplicate);
  EXPECT_TRUE(compare_texts("甲乙丙丁戊", "戊甲乙丙丁", lcs).duplicate);
}

TEST(DistanceLimit, IsTheLargestDistanceThatTheRuleAllows) {
  for (int min_similarity = 1; min_similarity <= 100; ++min_similarity) {
    const auto percent = static_cast<std::size_t>(min_similarity);
    for (std::size_t length = 0; length <= 300; ++length) {
      const std::size_t limit = distance_limit(length, min_similarity);
      ASSERT_LE(limit, length);
      ASSERT_GE((length - limit) * 100, percent * length);
      ASSERT_TRUE(limit == length || (length - limit - 1) * 100 < percent * length)
          << length << ' ' << percent;
    }
  }
}

TEST(CompareInFull, TellsTheDistanceWhateverItIs) {
  const Comparison result = compare_in_full(parts_of("甲乙丙1"), parts_of("丁戊己庚2"), {});
  EXPECT_FALSE(result.same_signs);
  EXPECT_FALSE(result.duplicate);
  EXPECT_EQ(result.distance, 4U);
  EXPECT_EQ(result.length, 4U);
}

TEST(CompareInFull, DecidesAsCompareDoes) {
  EXPECT_TRUE(compare_in_full(parts_of("小红买10本书"), parts_of("小明买10本书"), {}).duplicate);
  EXPECT_FALSE(compare_in_full(parts_of("小红买10本书"), parts_of("小明卖10本书"), {}).duplicate);
  EXPECT_FALSE(compare_in_full(parts_of("小红买10本书"), parts_of("小红买11本书"), {}).duplicate);
}

}  // namespace
}  // namespace qdedup::refine
