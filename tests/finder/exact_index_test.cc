#include "finder/exact_index.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/similar_search.h"
#include "tests/support/random_texts.h"
#include "tests/support/sampled.h"

namespace qdedup::finder {
namespace {

using refine::DuplicateSettings;
using refine::Similarity;

// Texts around `length`, most of them near others, within the threshold and a little beyond.
std::vector<std::u32string> texts_around(std::mt19937_64& random, std::size_t length, std::size_t alphabet,
                                         int min_similarity, int originals = 4) {
  const std::size_t most_edits = length * static_cast<std::size_t>(100 - min_similarity) / 100 + 2;
  std::vector<std::u32string> texts;
  for (int original = 0; original < originals; ++original) {
    texts.push_back(random_ideographs(random, length + random() % 3, alphabet));
    for (int i = 0; i < 8; ++i) {
      const std::u32string& base =
          texts[texts.size() - 1 - random() % std::min<std::size_t>(texts.size(), 4)];
      texts.push_back(edited(random, base, random() % (most_edits + 1), alphabet));
    }
  }
  return texts;
}

// Each text asks for those before it, of an index for each of `fews`: with and without pieces.
void expect_like_twin(const std::vector<std::u32string>& texts, const DuplicateSettings& settings,
                      const std::vector<std::size_t>& fews = {0}) {
  CompactTextStore column;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(texts.size());
  for (const std::u32string& text : texts) numbers.push_back(column.add(text));
  std::deque<ExactIndex> indexes;
  for (const std::size_t few : fews) indexes.emplace_back(column, settings, numbers, few);
  ExactIndex::Scratch scratch;
  std::vector<std::u32string> before;
  for (const std::uint32_t number : numbers) {
    const auto expected = reference::similar_texts(before, texts[number], settings);
    for (ExactIndex& index : indexes) {
      ASSERT_EQ(index.find_all(texts[number], scratch), expected)
          << "length " << texts[number].size() << ", " << settings.min_similarity << " percent, " << number;
      const auto first = index.find_first(texts[number], scratch);
      ASSERT_EQ(first, expected.empty() ? std::nullopt : std::optional(expected.front()));
      index.add(number);
    }
    before.push_back(texts[number]);
  }
}

class ExactIndexRandom : public testing::TestWithParam<std::tuple<Similarity, int>> {};

TEST_P(ExactIndexRandom, FindsWhatTheTwinFinds) {
  const auto [similarity, min_similarity] = GetParam();
  std::mt19937_64 random(static_cast<std::uint64_t>(min_similarity) + 1);
  for (const std::size_t length : {0U, 1U, 2U, 5U, 9U, 20U, 45U, 63U, 64U, 65U, 128U}) {
    for (const std::size_t alphabet : {2U, 12U, 3000U}) {
      const auto texts = texts_around(random, length, alphabet, min_similarity);
      expect_like_twin(texts, {min_similarity, similarity}, {0, texts.size() + 1});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Thresholds, ExactIndexRandom,
                         testing::Combine(testing::Values(Similarity::levenshtein, Similarity::lcs),
                                          testing::Values(0, 1, 34, 50, 66, 75, 79, 80, 81, 90, 99, 100)));

class SetMeasureRandom : public testing::TestWithParam<std::tuple<Similarity, int>> {};

TEST_P(SetMeasureRandom, FindsWhatTheTwinFinds) {
  const auto [similarity, min_similarity] = GetParam();
  std::mt19937_64 random(static_cast<std::uint64_t>(min_similarity) + 1);
  for (const std::size_t length : {0U, 1U, 2U, 5U, 20U, 63U, 64U, 65U, 128U}) {
    for (const std::size_t alphabet : {2U, 12U, 3000U}) {
      const auto texts = texts_around(random, length, alphabet, min_similarity, sampled(4));
      for (const auto signs : {refine::SignRule::equal, refine::SignRule::any}) {
        for (const std::size_t gram : {1U, 2U, 4U}) {
          const DuplicateSettings rule{min_similarity, similarity, signs, {}, {}, gram};
          expect_like_twin(texts, rule, {0, texts.size() + 1});
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Thresholds, SetMeasureRandom,
                         testing::Combine(testing::Values(Similarity::jaccard, Similarity::cosine),
                                          testing::Values(1, 34, 50, 79, 80, 81, 99, 100)));

TEST(ExactIndex, KnowsWhetherEmptyTextsAreAlike) {
  for (const Similarity similarity : {Similarity::levenshtein, Similarity::lcs, Similarity::jaccard}) {
    expect_like_twin({U"", U"甲", U""}, {.similarity = similarity});
    expect_like_twin({U"", U"甲", U""}, {.similarity = similarity, .signs = refine::SignRule::any});
  }
}

TEST(ExactIndex, FindsTextsOfMixedLengths) {
  std::mt19937_64 random(5);
  for (const int min_similarity : {1, 20, 50, 80}) {
    std::vector<std::u32string> texts;
    for (int i = 0; i < sampled(300); ++i) {
      const std::size_t length = random() % 130;
      texts.push_back(i % 2 == 0 ? random_ideographs(random, length, 4)
                                 : texts[random() % texts.size()].substr(0, random() % 130));
    }
    expect_like_twin(texts, {min_similarity, Similarity::levenshtein});
    expect_like_twin(texts, {min_similarity, Similarity::lcs});
  }
}

// At 80 percent a text of 40 may lose 8 of 40 characters, or gain 10: pieces at both ends of that.
TEST(ExactIndex, FindsWhatIsJustWithinTheThreshold) {
  const std::u32string text =
      U"一二三四五六七八九十甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥东南西北春夏秋冬";
  ASSERT_EQ(text.size(), 40U);
  std::u32string longer;
  for (std::size_t i = 0; i < text.size(); ++i) {
    longer += text[i];
    if (i % 4 == 1) longer += U'中';
  }
  ASSERT_EQ(longer.size(), 50U);
  std::u32string replaced = text;
  for (std::size_t i = 0; i < 40; i += 5) replaced[i] = U'中';
  expect_like_twin({text, longer, replaced, longer + U'中', replaced.substr(1)},
                   {80, Similarity::levenshtein});
  expect_like_twin({longer, text, replaced, longer + U'中'}, {80, Similarity::lcs});
}

// Texts of at most 2,047 characters are indexed.
TEST(LargeExactIndex, FindsTextsAboutAsLongAsItIndexes) {
  std::mt19937_64 random(10);
  std::vector<std::u32string> texts;
  for (const std::size_t length : {1638U, 2046U, 2047U, 2048U, 2559U, 2560U, 3198U, 3199U, 4000U}) {
    texts.push_back(random_ideographs(random, length, 3000));
    texts.push_back(edited(random, texts.back(), length / 10, 3000));
    texts.push_back(texts.back().substr(0, length * 9 / 10));
  }
  expect_like_twin(texts, {});
  texts.resize(12);
  expect_like_twin(texts, {100, Similarity::levenshtein});
}

TEST(ExactIndex, TakesTextsLongerThanItIndexes) {
  std::mt19937_64 random(9);
  const std::u32string text = random_ideographs(random, 66'000, 3000);
  CompactTextStore column;
  for (const std::u32string& part : {text, text.substr(0, 60'000), text.substr(0, 52'000)}) column.add(part);
  const std::vector<std::uint32_t> numbers = {0, 1, 2};
  ExactIndex index(column, {}, numbers, 0);
  for (const std::uint32_t number : numbers) index.add(number);
  ExactIndex::Scratch scratch;
  EXPECT_EQ(index.find_all(text, scratch), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(index.find_all(text.substr(0, 52'000), scratch), (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace qdedup::finder
