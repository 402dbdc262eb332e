#include "refine/character_bag.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "refine/duplicate_test.h"
#include "tests/reference/text_distance.h"

namespace qdedup::refine {
namespace {

std::size_t least_distance(const std::u32string& a, const std::u32string& b) {
  return CharacterBag(a).least_distance(CharacterBag(b));
}

std::u32string random_letters(std::mt19937_64& random, std::size_t size, std::size_t alphabet) {
  std::u32string text(size, U'\0');
  for (char32_t& c : text) c = static_cast<char32_t>(0x4E00 + random() % alphabet);
  return text;
}

TEST(CharacterBag, EqualTextsMayBeEqual) {
  EXPECT_EQ(least_distance(U"", U""), 0U);
  EXPECT_EQ(least_distance(U"小明买书", U"书买小明"), 0U);
}

TEST(CharacterBag, CountsWhatOneTextLacks) {
  EXPECT_EQ(least_distance(U"甲甲甲", U""), 3U);
  EXPECT_EQ(least_distance(U"", U"甲甲甲"), 3U);
  EXPECT_EQ(least_distance(U"甲甲甲", U"乙"), 3U);
  EXPECT_EQ(least_distance(std::u32string(200, U'甲'), U"甲"), 199U);
}

TEST(CharacterBag, StaysBelowTheDistanceWhereCountsEnd) {
  const std::u32string longest(100'000, U'甲');
  EXPECT_EQ(least_distance(longest, longest + U"甲"), 0U);
  EXPECT_LE(least_distance(longest, U""), longest.size());
}

TEST(CharacterBag, IsNeverAboveTheDistances) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t alphabet = 1 + random() % 300;
    const std::u32string a = random_letters(random, random() % 60, alphabet);
    std::u32string b = i % 2 == 0 ? a : random_letters(random, random() % 60, alphabet);
    for (std::size_t edits = random() % 8; edits > 0 && !b.empty(); --edits) {
      b.erase(random() % b.size(), random() % 2);
      b.insert(random() % (b.size() + 1), random_letters(random, random() % 2, alphabet));
    }
    const std::size_t least = least_distance(a, b);
    ASSERT_LE(least, reference::levenshtein_distance(a, b));
    ASSERT_LE(least, reference::lcs_distance(a, b));
    for (const Similarity similarity : {Similarity::levenshtein, Similarity::lcs}) {
      const DuplicateSettings settings{.min_similarity = 50 + i % 51, .similarity = similarity};
      const Parts a_parts{.signs = {}, .han = a};
      const Parts b_parts{.signs = {}, .han = b};
      const Comparison plain = compare(a_parts, b_parts, settings);
      const Comparison bagged = compare(Comparand(a_parts), Comparand(b_parts), settings);
      ASSERT_EQ(bagged.same_signs, plain.same_signs);
      ASSERT_EQ(bagged.duplicate, plain.duplicate);
      ASSERT_EQ(bagged.distance, plain.distance);
      ASSERT_EQ(bagged.length, plain.length);
    }
  }
}

}  // namespace
}  // namespace qdedup::refine
