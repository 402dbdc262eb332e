#include "refine/sketch.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/reference/text_distance.h"

namespace qdedup::refine {
namespace {

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
  const auto random_text = [&](std::size_t size, std::size_t alphabet) {
    std::u32string text(size, U'\0');
    for (char32_t& c : text) c = static_cast<char32_t>(0x4E00 + random() % alphabet);
    return text;
  };
  for (int i = 0; i < 30'000; ++i) {
    const std::size_t alphabet = 1 + random() % 300;
    const std::size_t size = i % 50 == 0 ? 230 + random() % 50 : random() % 60;
    Parts a{.signs = {}, .han = random_text(size, alphabet)};
    Parts b = a;
    for (std::size_t edits = random() % (size / 4 + 2); edits > 0; --edits) {
      if (!b.han.empty()) b.han.erase(random() % b.han.size(), random() % 2);
      b.han.insert(random() % (b.han.size() + 1), random_text(random() % 2, alphabet));
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
