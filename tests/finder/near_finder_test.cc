#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "finder/minhash_finder.h"
#include "finder/set_finder.h"
#include "finder/simhash_finder.h"
#include "finder/substring_finder.h"
#include "tests/support/random_texts.h"

namespace qdedup::finder {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Case {
  std::string name;
  std::function<std::unique_ptr<NearFinder>()> make;
  bool certain;  // near texts share a key for certain
};

template <class Finder, class Settings>
Case finder_case(std::string name, Settings settings, bool certain) {
  return {std::move(name), [settings] { return std::make_unique<Finder>(settings); }, certain};
}

bool share_a_key(const NearFinder& finder, const Signature& a, const Signature& b) {
  const auto& keyed = dynamic_cast<const KeyedFinder&>(finder);
  std::vector<std::uint32_t> keys_a;
  std::vector<std::uint32_t> keys_b;
  keyed.append_keys(a, keys_a);
  keyed.append_keys(b, keys_b);
  return std::ranges::find_first_of(keys_a, keys_b) != keys_a.end();
}

std::u32string random_text(std::mt19937_64& random) { return random_ideographs(random, random() % 40, 60); }

// Texts of which many are near others.
std::vector<std::u32string> some_texts(std::mt19937_64& random, std::size_t count) {
  std::vector<std::u32string> texts;
  while (texts.size() < count) {
    std::u32string text = random_text(random);
    if (!texts.empty() && random() % 3 != 0) {
      text = texts[random() % texts.size()];
      if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = U'\u9FA5';
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

class NearFinderTest : public testing::TestWithParam<Case> {};

bool is_wanted(std::uint32_t a, std::uint32_t b) { return (a + b) % 7 != 0; }

TEST_P(NearFinderTest, FindsWhatTheTwinFinds) {
  std::mt19937_64 random(7);
  const std::vector<std::u32string> texts = some_texts(random, 400);
  const auto finder = GetParam().make();
  finder->expect(texts.size());
  for (const std::u32string& text : texts) finder->learn(text);
  finder->finish_learning();
  std::vector<Signature> signatures;
  std::set<Pair> expected;
  for (const std::u32string& text : texts) {
    Signature signature = finder->signature(text);
    if (signature.empty() || std::ranges::find(signatures, signature) != signatures.end()) continue;
    const auto number = static_cast<std::uint32_t>(signatures.size());
    for (std::uint32_t other = 0; other < number; ++other) {
      if (is_wanted(number, other) && finder->near(signature, signatures[other]) &&
          (GetParam().certain || share_a_key(*finder, signature, signatures[other])))
        expected.emplace(number, other);
    }
    finder->add(number, signature);
    signatures.push_back(std::move(signature));
  }
  std::set<Pair> found;
  const auto take = [&](std::uint32_t a, std::uint32_t b, Nearness) {
    EXPECT_TRUE(found.emplace(a, b).second);
  };
  ASSERT_TRUE(finder->build(take, [] {}).ok());
  ASSERT_EQ(finder->size(), signatures.size());
  const std::size_t middle = finder->size() / 3;
  (void)finder->find(0, middle, is_wanted, take);
  (void)finder->find(middle, finder->size(), is_wanted, take);
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Finders, NearFinderTest,
    testing::Values(
        finder_case<SimhashFinder>("Simhash", SimhashSettings{}, true),
        finder_case<SimhashFinder>("SimhashExact", SimhashSettings{.distance = 0}, true),
        finder_case<SimhashFinder>("SimhashFar", SimhashSettings{.distance = 6}, true),
        finder_case<SimhashFinder>("SimhashWide", SimhashSettings{.distance = 12, .features = {.gram = 1}},
                                   true),
        finder_case<SetFinder>("Jaccard", SetSettings{.min_similarity = 50}, true),
        finder_case<SetFinder>("Cosine",
                               SetSettings{.measure = refine::SetMeasure::cosine, .features = {.gram = 1}},
                               true),
        finder_case<MinhashFinder>("Minhash", MinhashSettings{}, false),
        finder_case<MinhashFinder>("MinhashOfOneRow",
                                   MinhashSettings{.bands = 16, .rows = 1, .similarity = 0.2}, true),
        finder_case<MinhashFinder>("MinhashOfOddSize",
                                   MinhashSettings{.gram = 1, .bands = 3, .rows = 3, .similarity = 0.4},
                                   false),
        finder_case<SubstringFinder>("Substring", SubstringSettings{}, true),
        finder_case<SubstringFinder>("SubstringChosen", SubstringSettings{.window = 5, .common = 20}, true),
        finder_case<SubstringFinder>("SubstringLong", SubstringSettings{.gram = 8, .shared = 0.8}, true)),
    [](const auto& tested) { return tested.param.name; });

TEST(KeyedFinder, RefusesMoreKeysThanItCanHave) {
  for (const std::size_t max_keys : {5U, 6U}) {
    SubstringFinder finder({}, max_keys);
    finder.add(0, finder.signature(U"一二三四五六"));
    finder.add(1, finder.signature(U"三四五六七八"));
    int reported = 0;
    const Status built = finder.build([](std::uint32_t, std::uint32_t, Nearness) {}, [&] { ++reported; });
    EXPECT_GT(reported, 0);
    if (max_keys < 6) {
      ASSERT_FALSE(built.ok());
      EXPECT_EQ(built.error().code, ErrorCode::config);
      EXPECT_NE(built.error().message.find("more than 5 keys"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(built.ok());
    std::set<Pair> pairs;
    (void)finder.find(
        0, finder.size(), [](std::uint32_t, std::uint32_t) { return true; },
        [&](std::uint32_t a, std::uint32_t b, Nearness) { pairs.emplace(a, b); });
    EXPECT_EQ(pairs, (std::set<Pair>{{1, 0}}));
  }
}

TEST(SimhashFinder, LooksUpOneOfEqualHashes) {
  SimhashFinder finder({});
  for (const std::uint32_t number : {0U, 3U, 4U}) finder.add(number, finder.signature(U"一二三四"));
  std::set<Pair> pairs;
  int reported = 0;
  ASSERT_TRUE(finder
                  .build([&](std::uint32_t a, std::uint32_t b, Nearness) { pairs.emplace(a, b); },
                         [&] { ++reported; })
                  .ok());
  EXPECT_EQ(pairs, (std::set<Pair>{{3, 0}, {4, 0}}));
  EXPECT_EQ(finder.size(), 1U);
  EXPECT_GE(reported, 2);
}

TEST(SimhashFinder, IsTheSameForOneOrManyOfAFeature) {
  const SimhashFinder finder({.features = {.gram = 1}});
  EXPECT_EQ(finder.signature(U"一"), finder.signature(U"一一一"));
  EXPECT_NE(finder.signature(U"一"), finder.signature(U"二"));
  EXPECT_EQ(finder.signature(U""), Signature());
}

TEST(SimhashFinder, PassesOverWhatIsEverywhere) {
  SimhashFinder finder({.features = {.gram = 1}, .stop_share = 0.5});
  const std::u32string common = U"的了是在有和就不人都一上也很到说要去你会";
  for (std::uint32_t texts = 0; texts < SimhashFinder::min_stop_texts; ++texts) finder.learn(common);
  EXPECT_NE(finder.signature(common + U"鸟"), finder.signature(U"鸟")) << "of few texts";
  finder.learn(common);
  EXPECT_EQ(finder.signature(common + U"鸟"), finder.signature(U"鸟"));
}

// Any 8 + 6 - 1 characters in common give a stretch in common.
TEST(SubstringFinder, SharesAStretchOfWhatIsLongEnough) {
  std::mt19937_64 random(9);
  const SubstringFinder finder({.gram = 8, .shared = 0, .window = 6});
  for (int i = 0; i < 300; ++i) {
    std::u32string common(13, U'\0');
    for (char32_t& c : common) c = U'\u4E00' + static_cast<char32_t>(random() % 3000);
    const std::u32string one = random_text(random) + common + random_text(random);
    const std::u32string other = random_text(random) + common + random_text(random);
    EXPECT_TRUE(finder.near(finder.signature(one), finder.signature(other)));
    EXPECT_LT(finder.signature(one).size(), one.size() - 7);
  }
}

TEST(SubstringFinder, PassesOverWhatIsInTooManyTexts) {
  SubstringFinder finder({.common = 2});
  for (const std::u32string_view text : {U"一二三四甲", U"一二三四乙", U"一二三四丙"}) finder.learn(text);
  EXPECT_EQ(finder.signature(U"一二三四甲"), finder.signature(U"二三四甲"));
  EXPECT_TRUE(finder.signature(U"一二三四").empty());
}

// Else every stretch of a large bank would be taken for one that is in very many texts.
TEST(SubstringFinder, CountsMoreStretchesApartOfMoreTexts) {
  SubstringFinder few({.common = 500});
  few.expect(1000);
  SubstringFinder many({.common = 500});
  many.expect(few.counters() + 1);
  EXPECT_GE(many.counters(), 2 * few.counters());
}

TEST(SubstringFinder, CountsNothingWhereAllStretchesCount) {
  SubstringFinder finder({});
  finder.expect(1000);
  finder.learn(U"一二三四五六");
  EXPECT_EQ(finder.counters(), 0U);
  EXPECT_EQ(finder.signature(U"一二三四五六").size(), 3U);
}

// 1 and 3 of 4 grams in common: 2 / (4 + 4 - 2) and so on, within the error of 512 permutations.
TEST(MinhashFinder, EstimatesTheJaccardIndex) {
  const MinhashFinder finder({.gram = 1, .bands = 128, .rows = 4});
  const auto estimate = [&](std::u32string_view a, std::u32string_view b) {
    return finder.estimate(finder.signature(a), finder.signature(b));
  };
  EXPECT_EQ(estimate(U"一二三四", U"四三二一"), 1.0);
  EXPECT_NEAR(estimate(U"一二三四", U"一二三五"), 0.6, 0.07);
  EXPECT_NEAR(estimate(U"一二三四", U"一六七八"), 1.0 / 7, 0.06);
  EXPECT_NEAR(estimate(U"一二三四", U"五六七八"), 0.0, 0.02);
}

// The stretches of `gram` characters that two texts share, against those of the one that has fewer.
bool share_enough(const TextPair& pair, std::size_t gram, std::size_t percent) {
  const auto stretches = [gram](const std::u32string& text) {
    std::set<std::u32string> all;
    for (std::size_t at = 0; at + std::min(gram, text.size()) <= text.size() && !text.empty(); ++at)
      all.insert(text.substr(at, gram));
    std::erase_if(
        all, [&](const std::u32string& stretch) { return stretch.size() < std::min(gram, text.size()); });
    return all;
  };
  const auto a = stretches(pair.first);
  const auto b = stretches(pair.second);
  const auto common = static_cast<std::size_t>(
      std::ranges::count_if(a, [&](const std::u32string& each) { return b.contains(each); }));
  return pair.first == pair.second || (common > 0 && common * 100 >= percent * std::min(a.size(), b.size()));
}

TEST(LongestGram, IsTheLongestUpToWhichEnoughPairsAreFound) {
  std::mt19937_64 random(5);
  std::set<std::size_t> chosen;
  for (const unsigned percent : {1U, 50U, 80U, 95U, 100U}) {
    std::vector<TextPair> pairs;
    while (pairs.size() < 100) {
      std::u32string text = random_text(random) + random_text(random);
      std::u32string changed = text;
      for (std::size_t edits = random() % 4; edits > 0 && !changed.empty(); --edits)
        changed[random() % changed.size()] = U'\u9FA5';
      pairs.emplace_back(std::move(text), std::move(changed));
    }
    std::size_t expected = 0;
    const auto found = [&](std::size_t gram) {
      return static_cast<std::size_t>(
          std::ranges::count_if(pairs, [&](const TextPair& pair) { return share_enough(pair, gram, 30); }));
    };
    while (expected < 64 && found(expected == 0 ? 4 : expected + 1) >= percent)
      expected = expected == 0 ? 4 : expected + 1;
    const auto choice = longest_gram(pairs, {}, percent);
    ASSERT_EQ(choice.has_value(), expected > 0);
    if (!choice) continue;
    EXPECT_EQ(choice->gram, expected);
    EXPECT_EQ(choice->found, found(expected));
    EXPECT_EQ(choice->found_longer, found(std::min<std::size_t>(expected + 1, 64)));
    chosen.insert(expected);
  }
  EXPECT_GT(chosen.size(), 2U);
}

TEST(LongestGram, IsNoneWhereEvenTheShortestFindsTooFew) {
  const std::vector<TextPair> pairs = {{U"一二三四五", U"五四三二一"}, {U"一二三四五", U"一二三四五"}};
  EXPECT_FALSE(longest_gram(pairs, {}, 51));
  const auto choice = longest_gram(pairs, {}, 50);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->gram, 64U);
  EXPECT_EQ(choice->found_longer, 1U);
}

}  // namespace
}  // namespace qdedup::finder
