#include "refine/duplicate_test.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/reference/duplicates.h"
#include "tests/reference/text_distance.h"
#include "tests/support/random_texts.h"
#include "tests/support/rules.h"
#include "tests/support/sampled.h"

namespace qdedup::refine {
namespace {

Comparison compare_texts(std::string_view a, std::string_view b, const DuplicateSettings& settings = {}) {
  return compare(compared_parts(a, settings), compared_parts(b, settings), settings);
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

std::size_t min_distance(const std::u32string& a, const std::u32string& b) {
  return CharacterBag(a).min_distance(CharacterBag(b));
}

TEST(CharacterBag, EqualTextsMayBeEqual) {
  EXPECT_EQ(min_distance(U"", U""), 0U);
  EXPECT_EQ(min_distance(U"小明买书", U"书买小明"), 0U);
}

TEST(CharacterBag, CountsWhatOneTextLacks) {
  EXPECT_EQ(min_distance(U"甲甲甲", U""), 3U);
  EXPECT_EQ(min_distance(U"", U"甲甲甲"), 3U);
  EXPECT_EQ(min_distance(U"甲甲甲", U"乙"), 3U);
  EXPECT_EQ(min_distance(std::u32string(200, U'甲'), U"甲"), 199U);
}

TEST(CharacterBag, StaysBelowTheDistanceWhereCountsEnd) {
  const std::u32string longest(100'000, U'甲');
  EXPECT_EQ(min_distance(longest, longest + U"甲"), 0U);
  EXPECT_LE(min_distance(longest, U""), longest.size());
}

TEST(CharacterBag, IsNeverAboveTheDistances) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t alphabet = 1 + random() % 300;
    const std::u32string a = random_ideographs(random, random() % 60, alphabet);
    std::u32string b = i % 2 == 0 ? a : random_ideographs(random, random() % 60, alphabet);
    for (std::size_t edits = random() % 8; edits > 0 && !b.empty(); --edits) {
      b.erase(random() % b.size(), random() % 2);
      b.insert(random() % (b.size() + 1), random_ideographs(random, random() % 2, alphabet));
    }
    const std::size_t least = min_distance(a, b);
    ASSERT_LE(least, reference::levenshtein_distance(a, b));
    ASSERT_LE(least, reference::lcs_distance(a, b));
    for (const Similarity similarity : {Similarity::levenshtein, Similarity::lcs}) {
      const DuplicateSettings settings{.min_similarity = 50 + i % 51, .similarity = similarity};
      const Parts a_parts{.signs = {}, .han = a};
      const Parts b_parts{.signs = {}, .han = b};
      const Comparison plain = compare(a_parts, b_parts, settings);
      const Comparison bagged = compare(Comparand(a_parts, settings), Comparand(b_parts, settings), settings);
      ASSERT_EQ(bagged.same_signs, plain.same_signs);
      ASSERT_EQ(bagged.duplicate, plain.duplicate);
      ASSERT_EQ(bagged.distance, plain.distance);
      ASSERT_EQ(bagged.length, plain.length);
    }
  }
}

// Of `length` characters, some of them signs, words that ICU knows, and punctuation.
std::u32string mixed_text(std::mt19937_64& random, std::size_t length, std::size_t alphabet) {
  static const std::u32string characters = U"今天空气温度为的小明买书苹果学习3a,。 ";
  std::u32string text(length, U'\0');
  for (char32_t& c : text) c = characters[random() % std::min(alphabet, characters.size())];
  return text;
}

// About as many edits as a rule of some 80 percent allows.
std::u32string nearly(std::mt19937_64& random, std::u32string text, std::size_t alphabet) {
  for (std::size_t edits = random() % (text.size() * 3 / 10 + 2); edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    if (!text.empty() && random() % 2 == 0) text.erase(at, 1);
    if (random() % 3 > 0) text.insert(std::min(at, text.size()), mixed_text(random, 1, alphabet));
  }
  return text;
}

// At 79, 80 and 81 percent, and around the lengths at which the code changes its ways.
class EveryRule : public testing::TestWithParam<int> {};

TEST_P(EveryRule, DecidesAsTheTwinDoes) {
  const std::vector<DuplicateSettings> rules = all_rules(GetParam());
  std::vector<std::size_t> duplicates(rules.size());
  std::vector<std::size_t> others(rules.size());
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto expect_like_twin = [&](const std::string& a, const std::string& b) {
    const reference::SeenText seen_a = reference::see(a);
    const reference::SeenText seen_b = reference::see(b);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const DuplicateSettings& rule = rules[i];
      SCOPED_TRACE(rule_text(rule) + '\n' + a + '\n' + b);
      const bool expected = reference::are_duplicates(seen_a, seen_b, rule);
      const Parts a_parts = compared_parts(a, rule);
      const Parts b_parts = compared_parts(b, rule);
      const Comparison in_full = compare_in_full(a_parts, b_parts, rule);
      ASSERT_EQ(compare(a_parts, b_parts, rule).duplicate, expected);
      ASSERT_EQ(compare(Comparand(a_parts, rule), Comparand(b_parts, rule), rule).duplicate, expected);
      ASSERT_EQ(in_full.duplicate, expected);
      if (set_measure(rule.similarity)) {
        ASSERT_EQ(whole_set - in_full.distance, reference::hundredths_alike(a_parts.han, b_parts.han, rule));
      }
      ++(expected ? duplicates : others)[i];
      if (!expected) continue;
      ASSERT_TRUE(may_be_duplicates(sketch_of(parts_of(a)), sketch_of(parts_of(b)), rule));
      ASSERT_EQ(compared_fingerprint(sign_fingerprint(parts_of(a)), rule), sign_fingerprint(a_parts));
    }
  };
  for (const std::size_t length : {0U, 1U, 5U, 63U, 64U, 65U, 128U}) {
    for (int i = 0; i < 30 && !HasFailure(); ++i) {
      const std::size_t alphabet = i % 3 == 0 ? 3 : 30;
      const std::u32string one = mixed_text(random, length, alphabet);
      const std::size_t of_edits = i % 2 == 0 ? alphabet : 16;  // which have no signs
      expect_like_twin(to_utf8(one), to_utf8(nearly(random, one, of_edits)));
    }
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_GT(duplicates[i], 10U) << rule_text(rules[i]);
    EXPECT_GT(others[i], 10U) << rule_text(rules[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Percent, EveryRule, testing::Values(79, 80, 81));

TEST(DuplicateTest, SignsNeedNotCount) {
  const DuplicateSettings any{.signs = SignRule::any};
  EXPECT_TRUE(compare_texts("小红买10本书", "小明买11本书", any).duplicate);
  EXPECT_FALSE(compare_texts("小红买10本书", "小明卖11本书", any).duplicate);
  EXPECT_FALSE(compare_texts("1+1=2", "1+1=2", any).duplicate) << "nothing is compared";
  EXPECT_TRUE(compare_texts("1+1=2", "1+1=2").duplicate);
}

TEST(DuplicateTest, WholeTextsCanBeCompared) {
  const DuplicateSettings text{.signs = SignRule::any, .compare = ComparedText::text};
  EXPECT_TRUE(compare_texts("The cat sat.", "The cat sat!", text).duplicate);
  EXPECT_FALSE(compare_texts("The cat sat.", "The dog ran!", text).duplicate);
  EXPECT_FALSE(compare_texts("The cat sat.", "The cat sits.", {.compare = ComparedText::text}).duplicate);
  EXPECT_TRUE(compare_texts("The cat sat.", "The cat, sat", {.compare = ComparedText::text}).duplicate);
  EXPECT_EQ(compare_texts("\U000E1234cat", "cat\U000E1234", {.compare = ComparedText::text}).distance, 0U);
}

// 4 of 5 characters; 4 of the root of 5 * 5; and of what is in between the nearest hundredth.
TEST(DuplicateTest, SetsAreComparedExactly) {
  DuplicateSettings rule{.similarity = Similarity::jaccard, .gram = 1};
  EXPECT_TRUE(compare_texts("一二三四", "一二三四五", rule).duplicate);
  rule.min_similarity = 81;
  EXPECT_FALSE(compare_texts("一二三四", "一二三四五", rule).duplicate);
  rule = {.similarity = Similarity::cosine, .gram = 1};
  EXPECT_TRUE(compare_texts("一二三四五", "一二三四六", rule).duplicate);
  rule.min_similarity = 81;
  EXPECT_FALSE(compare_texts("一二三四五", "一二三四六", rule).duplicate);
  EXPECT_EQ(compare_texts("一二三四", "一二三四五", rule).distance, whole_set - 8944U);  // 89.4427
  rule.similarity = Similarity::jaccard;
  EXPECT_EQ(compare_texts("一二", "一二三", rule).distance, whole_set - 6667U);
}

TEST(DuplicateTest, OrderDoesNotMatterToSets) {
  EXPECT_TRUE(
      compare_texts("甲乙丙丁戊己", "戊己甲乙丙丁", {.min_similarity = 60, .similarity = Similarity::jaccard})
          .duplicate);
  EXPECT_FALSE(compare_texts("甲乙丙丁戊己", "戊己甲乙丙丁", {.min_similarity = 60}).duplicate);
}

bool may_be(const std::u32string& a, const std::u32string& b, int min_similarity = 80) {
  return may_be_duplicates(sketch_of({.signs = {}, .han = a}), sketch_of({.signs = {}, .han = b}),
                           {.min_similarity = min_similarity});
}

TEST(Sketch, EqualTextsMayBeDuplicates) {
  EXPECT_TRUE(may_be(U"", U""));
  EXPECT_TRUE(may_be(U"小明买书", U"书买小明"));
}

TEST(Sketch, OtherSignsAreNoDuplicates) {
  const QuestionSketch three = sketch_of({.signs = std::u32string(U"3\0", 2), .han = U"小明买书"});
  const QuestionSketch four = sketch_of({.signs = std::u32string(U"4\0", 2), .han = U"小明买书"});
  EXPECT_FALSE(may_be_duplicates(three, four, {}));
  EXPECT_TRUE(may_be_duplicates(three, three, {}));
}

TEST(Sketch, TellsOtherCharactersAndOtherLengthsApart) {
  EXPECT_FALSE(may_be(U"小明买书", U"东西南北"));
  EXPECT_FALSE(may_be(U"甲", U"甲甲"));
  EXPECT_TRUE(may_be(U"甲甲甲甲", U"甲甲甲甲甲"));
  EXPECT_FALSE(may_be(U"甲甲甲", U"甲甲甲甲", 76));
  EXPECT_TRUE(may_be(U"甲甲甲", U"甲甲甲甲", 75));
}

TEST(Sketch, CountsCharactersUpToTwo) {
  EXPECT_FALSE(may_be(U"甲甲甲甲甲甲乙", U"甲乙乙乙乙乙乙", 90));
  EXPECT_TRUE(may_be(U"甲甲甲甲甲甲乙乙", U"甲甲乙乙乙乙乙乙", 90));
}

TEST(Sketch, OfLongTextsKnowsOnlyThatTheyAreLong) {
  const auto repeated = [](std::size_t size) { return std::u32string(size, U'甲'); };
  EXPECT_FALSE(may_be(repeated(254), U"甲"));
  EXPECT_FALSE(may_be(repeated(255), repeated(203)));
  EXPECT_TRUE(may_be(repeated(255), repeated(204)));
  EXPECT_TRUE(may_be(repeated(10'000), repeated(204)));
  EXPECT_TRUE(may_be(repeated(10'000), std::u32string(255, U'乙')));
}

TEST(Sketch, NeverDeniesADuplicate) {
  std::mt19937_64 random(3);
  for (int i = 0; i < sampled(30'000); ++i) {
    const std::size_t alphabet = 1 + random() % 300;
    const std::size_t size = i % 50 == 0 ? 230 + random() % 50 : random() % 60;
    Parts a{.signs = {}, .han = random_ideographs(random, size, alphabet)};
    Parts b = a;
    for (std::size_t edits = random() % (size / 4 + 2); edits > 0; --edits) {
      if (!b.han.empty()) b.han.erase(random() % b.han.size(), random() % 2);
      b.han.insert(random() % (b.han.size() + 1), random_ideographs(random, random() % 2, alphabet));
    }
    for (const Similarity similarity : {Similarity::levenshtein, Similarity::lcs}) {
      const DuplicateSettings settings{.min_similarity = static_cast<int>(random() % 100) + 1,
                                       .similarity = similarity};
      const std::size_t distance = similarity == Similarity::lcs
                                       ? reference::lcs_distance(a.han, b.han)
                                       : reference::levenshtein_distance(a.han, b.han);
      if (distance > distance_limit(std::max(a.han.size(), b.han.size()), settings.min_similarity)) continue;
      ASSERT_TRUE(may_be_duplicates(sketch_of(a), sketch_of(b), settings));
    }
  }
}

}  // namespace
}  // namespace qdedup::refine
