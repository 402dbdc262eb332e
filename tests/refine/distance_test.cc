#include "refine/distance.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/distance_kernels.h"
#include "tests/reference/text_distance.h"
#include "tests/support/random_texts.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t no_cutoff = std::numeric_limits<std::size_t>::max();

// Cutoffs at which something may change.
std::vector<std::size_t> cutoffs(std::size_t distance, std::size_t length) {
  std::vector<std::size_t> list{0, 1, distance, distance + 1, length / 5, length, no_cutoff};
  if (distance > 0) list.push_back(distance - 1);
  return list;
}

void expect_like_twins(std::u32string_view a, std::u32string_view b) {
  const std::size_t length = std::max(a.size(), b.size());
  const std::size_t levenshtein = reference::levenshtein_distance(a, b);
  for (const std::size_t cutoff : cutoffs(levenshtein, length)) {
    const std::size_t expected = levenshtein <= cutoff ? levenshtein : cutoff + 1;
    ASSERT_EQ(levenshtein_distance(a, b, cutoff), expected) << a.size() << ' ' << b.size() << ' ' << cutoff;
  }
  const std::size_t lcs = reference::lcs_distance(a, b);
  for (const std::size_t cutoff : cutoffs(lcs, length)) {
    const std::size_t expected = lcs <= cutoff ? lcs : cutoff + 1;
    ASSERT_EQ(lcs_distance(a, b, cutoff), expected) << a.size() << ' ' << b.size() << ' ' << cutoff;
  }
}

TEST(Levenshtein, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(levenshtein_distance(U"", U"", no_cutoff), 0U);
  EXPECT_EQ(levenshtein_distance(U"今天空气温度", U"今天的空气温度", no_cutoff), 1U);
  EXPECT_EQ(levenshtein_distance(U"今天的空气温度", U"今天空气温度", no_cutoff), 1U);
  EXPECT_EQ(levenshtein_distance(U"小红买本书", U"小明买本书", no_cutoff), 1U);
  EXPECT_EQ(levenshtein_distance(U"kitten", U"sitting", no_cutoff), 3U);
}

TEST(Lcs, CountsWhatTheLongerTextHasAlone) {
  EXPECT_EQ(lcs_distance(U"", U"", no_cutoff), 0U);
  EXPECT_EQ(lcs_distance(U"今天空气温度", U"今天的空气温度", no_cutoff), 1U);
  EXPECT_EQ(lcs_distance(U"甲乙丙", U"丙甲乙", no_cutoff), 1U);
  EXPECT_EQ(levenshtein_distance(U"甲乙丙", U"丙甲乙", no_cutoff), 2U);
  EXPECT_EQ(lcs_distance(U"kitten", U"sitting", no_cutoff), 3U);
}

TEST(DistanceTwin, AgreesAtEveryBoundaryOfLength) {
  std::mt19937_64 random(1);
  const std::vector<std::size_t> lengths{0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200};
  for (const std::size_t n : lengths) {
    for (const std::size_t m : lengths) {
      for (const std::size_t alphabet : {2U, 40U}) {
        const std::u32string a = random_ideographs(random, n, alphabet);
        ASSERT_NO_FATAL_FAILURE(expect_like_twins(a, random_ideographs(random, m, alphabet)));
      }
    }
  }
}

TEST(DistanceTwin, AgreesOnShortTexts) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::u32string a = random_ideographs(random, random() % 12, 3);
    ASSERT_NO_FATAL_FAILURE(expect_like_twins(a, random_ideographs(random, random() % 12, 3)));
  }
}

TEST(DistanceTwin, AgreesOnEditedTexts) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t alphabet = 2 + random() % 50;
    const std::u32string a = random_ideographs(random, random() % 150, alphabet);
    ASSERT_NO_FATAL_FAILURE(expect_like_twins(a, edited(random, a, random() % 40, alphabet)));
  }
}

TEST(DistanceTwin, AgreesOnLongTexts) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20; ++i) {
    const std::u32string a = random_ideographs(random, 400 + random() % 400, 30);
    ASSERT_NO_FATAL_FAILURE(expect_like_twins(a, edited(random, a, 20 * (random() % 20), 30)));
  }
}

// Calls each kernel itself, as the choice between them hides parts of what they can do.
TEST(DistanceKernels, AgreeWithTheTwinsAtEveryLimit) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 400; ++i) {
    std::u32string pattern = random_ideographs(random, 1 + random() % 150, 8);
    std::u32string text = edited(random, pattern, random() % 60, 8);
    if (pattern.size() > text.size()) std::swap(pattern, text);
    if (pattern.empty()) continue;
    const std::size_t surplus = text.size() - pattern.size();
    const std::size_t levenshtein = reference::levenshtein_distance(pattern, text);
    const std::size_t lcs = reference::lcs_distance(pattern, text);
    for (std::size_t limit = surplus; limit <= text.size(); ++limit) {
      const Band edits = levenshtein_band(limit, surplus);
      const Band gaps = lcs_band(limit, surplus);
      ASSERT_EQ(striped_levenshtein(pattern, text, limit, edits), std::min(levenshtein, limit + 1));
      ASSERT_EQ(striped_lcs(pattern, text, limit, gaps), std::min(lcs, limit + 1));
      if (edits.width() <= max_band_width) {
        ASSERT_EQ(banded_levenshtein(pattern, text, limit, edits), std::min(levenshtein, limit + 1));
      }
      if (gaps.width() <= max_band_width) {
        ASSERT_EQ(banded_lcs(pattern, text, limit, gaps), std::min(lcs, limit + 1));
      }
    }
  }
}

}  // namespace
}  // namespace qdedup::refine
