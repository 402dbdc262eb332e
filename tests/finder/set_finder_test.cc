#include "finder/set_finder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "finder/simhash_finder.h"
#include "tests/support/random_texts.h"
#include "tests/support/sampled.h"

namespace qdedup::finder {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using refine::Feature;
using refine::Features;
using refine::SetMeasure;
using Pairs = std::map<Pair, Nearness>;
using Set = std::set<std::u32string>;

// Half of the texts are others with a few characters replaced.
std::vector<std::u32string> copies_with_errors(std::mt19937_64& random, std::size_t count) {
  std::vector<std::u32string> texts;
  while (texts.size() < count) {
    std::u32string text = random_ideographs(random, random() % 30, 40);
    if (!texts.empty() && random() % 2 == 0) {
      text = texts[random() % texts.size()];
      for (std::uint64_t replaced = random() % 4; replaced > 0 && !text.empty(); --replaced)
        text[random() % text.size()] = U'\u9FA5';
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

Set grams_of(const std::u32string& text, std::size_t gram) {
  if (text.empty()) return {};
  if (text.size() <= gram) return {text};
  Set grams;
  for (std::size_t at = 0; at + gram <= text.size(); ++at) grams.insert(text.substr(at, gram));
  return grams;
}

std::size_t common_grams(const Set& a, const Set& b) {
  return static_cast<std::size_t>(
      std::ranges::count_if(a, [&](const std::u32string& gram) { return b.contains(gram); }));
}

// Whether sets of two sizes are alike by at least so many halves of a hundredth of a percent, in whole
// numbers.
bool are_alike(std::uint64_t common, std::uint64_t a, std::uint64_t b, SetMeasure measure,
               std::uint64_t halves) {
  if (measure == SetMeasure::jaccard) return 20'000 * common >= halves * (a + b - common);
  return 400'000'000 * common * common >= halves * halves * a * b;
}

// In hundredths of a percent, rounded half up.
Nearness similarity(std::uint64_t common, std::uint64_t a, std::uint64_t b, SetMeasure measure) {
  Nearness hundredths = 0;
  while (are_alike(common, a, b, measure, 2 * hundredths + 1)) ++hundredths;
  return hundredths;
}

Pairs pairs_by_twin(const std::vector<std::u32string>& texts, const SetSettings& settings) {
  std::vector<Set> sets;
  for (const std::u32string& text : texts) sets.push_back(grams_of(text, settings.features.gram));
  Pairs pairs;
  for (std::uint32_t a = 0; a < sets.size(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (sets[a].empty() || sets[b].empty()) continue;
      const std::size_t common = common_grams(sets[a], sets[b]);
      const std::size_t size_a = sets[a].size();
      const std::size_t size_b = sets[b].size();
      if (are_alike(common, size_a, size_b, settings.measure, std::uint64_t{200} * settings.min_similarity))
        pairs[{a, b}] = similarity(common, size_a, size_b, settings.measure);
    }
  }
  return pairs;
}

Pairs pairs_found(const std::vector<std::u32string>& texts, const SetSettings& settings) {
  SetFinder finder(settings);
  finder.expect(texts.size());
  for (const std::u32string& text : texts) finder.learn(text);
  finder.finish_learning();
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    if (const Signature signature = finder.signature(texts[number]); !signature.empty())
      finder.add(number, signature);
  }
  Pairs pairs;
  const auto take = [&](std::uint32_t a, std::uint32_t b, Nearness nearness) {
    EXPECT_TRUE(pairs.emplace(Pair{a, b}, nearness).second);
  };
  EXPECT_TRUE(finder.build(take, [] {}).ok());
  (void)finder.find(
      0, finder.size(), [](std::uint32_t, std::uint32_t) { return true; }, take);
  return pairs;
}

TEST(SetFinder, MissesNothingThatTheTwinFinds) {
  std::mt19937_64 random(11);
  const std::vector<std::u32string> texts = copies_with_errors(random, sampled(500));
  for (const SetMeasure measure : {SetMeasure::jaccard, SetMeasure::cosine}) {
    for (const std::uint32_t min_similarity : {1U, 30U, 50U, 79U, 80U, 81U, 100U}) {
      for (const std::size_t gram : {1U, 2U, 5U}) {
        const SetSettings settings{
            .measure = measure, .min_similarity = min_similarity, .features = {.gram = gram}};
        const Pairs expected = pairs_by_twin(texts, settings);
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(pairs_found(texts, settings), expected)
            << (measure == SetMeasure::jaccard) << ' ' << min_similarity << ' ' << gram;
      }
    }
  }
}

// 4 of 5 characters, and 4 of the root of 5 * 5.
TEST(SetFinder, TakesWhatIsExactlyAsSimilar) {
  const std::vector<std::u32string> of_jaccard = {U"一二三四", U"一二三四五"};
  const std::vector<std::u32string> of_cosine = {U"一二三四五", U"一二三四六"};
  for (const std::uint32_t min_similarity : {80U, 81U}) {
    const bool is_near = min_similarity == 80;
    SetSettings settings{.min_similarity = min_similarity, .features = {.gram = 1}};
    EXPECT_EQ(pairs_found(of_jaccard, settings), is_near ? Pairs({{{1, 0}, 8000}}) : Pairs());
    settings.measure = SetMeasure::cosine;
    EXPECT_EQ(pairs_found(of_cosine, settings), is_near ? Pairs({{{1, 0}, 8000}}) : Pairs());
  }
}

TEST(SetFinder, ComparesTheHeaviestFeaturesAlone) {
  const std::vector<std::u32string> texts = {U"一二三四", U"一二五六", U"三四", U"五六"};
  const std::unordered_map<Feature, unsigned> weights = {{Features::named(U"一"), 5},
                                                         {Features::named(U"二"), 4}};
  SetSettings settings{.min_similarity = 100, .features = {.gram = 1, .keywords = 2, .weights = weights}};
  EXPECT_EQ(pairs_found(texts, settings), Pairs({{{1, 0}, 10'000}}));
  settings.features.weights = {};
  settings.features.keywords = 1;  // all are in two texts
  EXPECT_LE(pairs_found(texts, settings).size(), 3U);
  settings.features.keywords = 0;
  EXPECT_TRUE(pairs_found(texts, settings).empty());
}

TEST(SimhashFinder, HashesTheHeaviestFeaturesAlone) {
  const SimhashFinder all({.features = {.gram = 1}});
  const SimhashFinder few({.features = {.gram = 1, .keywords = 1, .weights = {{Features::named(U"鸟"), 5}}}});
  EXPECT_EQ(few.signature(U"一二三鸟四"), all.signature(U"鸟"));
  EXPECT_NE(all.signature(U"一二三鸟四"), all.signature(U"鸟"));
}

}  // namespace
}  // namespace qdedup::finder
