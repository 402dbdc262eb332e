#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "finder/minhash_scheme.h"
#include "finder/simhash_scheme.h"
#include "finder/substring_scheme.h"

namespace qdedup::finder {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Case {
  std::string name;
  std::function<std::unique_ptr<SignatureScheme>()> make;
  bool certain;  // near texts share a key for certain
};

template <class Scheme, class Settings>
Case scheme_case(std::string name, Settings settings, bool certain) {
  return {std::move(name), [settings] { return std::make_unique<Scheme>(settings); }, certain};
}

bool share_a_key(const SignatureScheme& scheme, const Signature& a, const Signature& b) {
  const auto& keyed = dynamic_cast<const KeyedScheme&>(scheme);
  std::vector<std::uint32_t> keys_a;
  std::vector<std::uint32_t> keys_b;
  keyed.append_keys(a, keys_a);
  keyed.append_keys(b, keys_b);
  return std::ranges::find_first_of(keys_a, keys_b) != keys_a.end();
}

std::u32string random_text(std::mt19937_64& random) {
  std::u32string text(random() % 40, U'\0');
  for (char32_t& c : text) c = U'\u4E00' + static_cast<char32_t>(random() % 60);
  return text;
}

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

class NearIndexTest : public testing::TestWithParam<Case> {};

bool is_wanted(std::uint32_t a, std::uint32_t b) { return (a + b) % 7 != 0; }

TEST_P(NearIndexTest, FindsWhatTheTwinFinds) {
  std::mt19937_64 random(7);
  const std::vector<std::u32string> texts = some_texts(random, 400);
  const auto scheme = GetParam().make();
  scheme->expect(texts.size());
  for (const std::u32string& text : texts) scheme->learn(text);
  const auto index = scheme->make_index(SignatureScheme::max_index_keys);
  index->reserve(texts.size());
  std::vector<Signature> signatures;
  std::set<Pair> expected;
  for (const std::u32string& text : texts) {
    Signature signature = scheme->signature(text);
    if (std::ranges::find(signatures, signature) != signatures.end()) continue;
    const auto number = static_cast<std::uint32_t>(signatures.size());
    for (std::uint32_t other = 0; other < number; ++other) {
      if (is_wanted(number, other) && scheme->near(signature, signatures[other]) &&
          (GetParam().certain || share_a_key(*scheme, signature, signatures[other])))
        expected.emplace(number, other);
    }
    index->add(number, signature);
    signatures.push_back(std::move(signature));
  }
  std::set<Pair> found;
  const auto take = [&](std::uint32_t a, std::uint32_t b) { EXPECT_TRUE(found.emplace(a, b).second); };
  ASSERT_TRUE(index->build(take, [] {}).ok());
  ASSERT_EQ(index->size(), signatures.size());
  const std::size_t middle = index->size() / 3;
  (void)index->find(0, middle, is_wanted, take);
  (void)index->find(middle, index->size(), is_wanted, take);
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, NearIndexTest,
    testing::Values(
        scheme_case<SimhashScheme>("Simhash", SimhashSettings{}, true),
        scheme_case<SimhashScheme>("SimhashExact", SimhashSettings{.distance = 0}, true),
        scheme_case<SimhashScheme>("SimhashOfTwoLevels", SimhashSettings{.distance = 6, .levels = 2}, true),
        scheme_case<SimhashScheme>("SimhashWide",
                                   SimhashSettings{.distance = 12, .gram = 1, .top_features = 5}, true),
        scheme_case<MinhashScheme>("Minhash", MinhashSettings{}, false),
        scheme_case<MinhashScheme>("MinhashOfOneRow",
                                   MinhashSettings{.bands = 16, .rows = 1, .similarity = 0.2}, true),
        scheme_case<MinhashScheme>("MinhashOfOddSize",
                                   MinhashSettings{.gram = 1, .bands = 3, .rows = 3, .similarity = 0.4},
                                   false),
        scheme_case<SubstringScheme>("Substring", SubstringSettings{}, true),
        scheme_case<SubstringScheme>("SubstringChosen", SubstringSettings{.window = 5, .common = 20}, true),
        scheme_case<SubstringScheme>("SubstringLong", SubstringSettings{.gram = 8, .shared = 0.8}, true)),
    [](const auto& tested) { return tested.param.name; });

TEST(NearIndex, RefusesMoreKeysThanItCanHave) {
  const SubstringScheme scheme({});
  for (const std::size_t max_keys : {5U, 6U}) {
    const auto index = scheme.make_index(max_keys);
    index->add(0, scheme.signature(U"一二三四五六"));
    index->add(1, scheme.signature(U"三四五六七八"));
    int reported = 0;
    const Status built = index->build([](std::uint32_t, std::uint32_t) {}, [&] { ++reported; });
    EXPECT_GT(reported, 0);
    if (max_keys < 6) {
      ASSERT_FALSE(built.ok());
      EXPECT_EQ(built.error().code, ErrorCode::config);
      EXPECT_NE(built.error().message.find("more than 5 keys"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(built.ok());
    std::set<Pair> pairs;
    (void)index->find(
        0, index->size(), [](std::uint32_t, std::uint32_t) { return true; },
        [&](std::uint32_t a, std::uint32_t b) { pairs.emplace(a, b); });
    EXPECT_EQ(pairs, (std::set<Pair>{{1, 0}}));
  }
}

TEST(NearIndex, LooksUpOneOfEqualHashes) {
  const SimhashScheme scheme({});
  const auto index = scheme.make_index(SignatureScheme::max_index_keys);
  for (const std::uint32_t number : {0U, 3U, 4U}) index->add(number, scheme.signature(U"一二三四"));
  std::set<Pair> pairs;
  int reported = 0;
  ASSERT_TRUE(
      index->build([&](std::uint32_t a, std::uint32_t b) { pairs.emplace(a, b); }, [&] { ++reported; }).ok());
  EXPECT_EQ(pairs, (std::set<Pair>{{3, 0}, {4, 0}}));
  EXPECT_EQ(index->size(), 1U);
  EXPECT_GE(reported, 4);
}

TEST(SimhashScheme, IsTheSameForOneOrManyOfAFeature) {
  const SimhashScheme scheme({.gram = 1});
  EXPECT_EQ(scheme.signature(U"一"), scheme.signature(U"一一一"));
  EXPECT_NE(scheme.signature(U"一"), scheme.signature(U"二"));
  EXPECT_EQ(SimhashScheme::hash_of(scheme.signature(U"")), 0U);
}

TEST(SimhashScheme, PassesOverWhatIsEverywhere) {
  SimhashScheme scheme({.gram = 1, .stop_share = 0.5});
  for (const std::u32string_view text : {U"的一", U"的二", U"的三", U"的四"}) scheme.learn(text);
  EXPECT_EQ(scheme.signature(U"的一"), scheme.signature(U"一"));
}

// Any 8 + 6 - 1 characters in common give a stretch in common.
TEST(SubstringScheme, SharesAStretchOfWhatIsLongEnough) {
  std::mt19937_64 random(9);
  const SubstringScheme scheme({.gram = 8, .shared = 0, .window = 6});
  for (int i = 0; i < 300; ++i) {
    std::u32string common(13, U'\0');
    for (char32_t& c : common) c = U'\u4E00' + static_cast<char32_t>(random() % 3000);
    const std::u32string one = random_text(random) + common + random_text(random);
    const std::u32string other = random_text(random) + common + random_text(random);
    EXPECT_TRUE(scheme.near(scheme.signature(one), scheme.signature(other)));
    EXPECT_LT(scheme.signature(one).size(), one.size() - 7);
  }
}

TEST(SubstringScheme, PassesOverWhatIsInTooManyTexts) {
  SubstringScheme scheme({.common = 2});
  for (const std::u32string_view text : {U"一二三四甲", U"一二三四乙", U"一二三四丙"}) scheme.learn(text);
  EXPECT_EQ(scheme.signature(U"一二三四甲"), scheme.signature(U"二三四甲"));
  EXPECT_TRUE(scheme.signature(U"一二三四").empty());
}

// Else every stretch of a large bank would be taken for one that is in very many texts.
TEST(SubstringScheme, CountsMoreStretchesApartOfMoreTexts) {
  SubstringScheme few({.common = 500});
  few.expect(1000);
  SubstringScheme many({.common = 500});
  many.expect(few.counters() + 1);
  EXPECT_GE(many.counters(), 2 * few.counters());
}

TEST(SubstringScheme, CountsNothingWhereAllStretchesCount) {
  SubstringScheme scheme({});
  scheme.expect(1000);
  scheme.learn(U"一二三四五六");
  EXPECT_EQ(scheme.counters(), 0U);
  EXPECT_EQ(scheme.signature(U"一二三四五六").size(), 3U);
}

// 1 and 3 of 4 grams in common: 2 / (4 + 4 - 2) and so on, within the error of 512 permutations.
TEST(MinhashScheme, EstimatesTheJaccardIndex) {
  const MinhashScheme scheme({.gram = 1, .bands = 128, .rows = 4});
  const auto estimate = [&](std::u32string_view a, std::u32string_view b) {
    return scheme.estimate(scheme.signature(a), scheme.signature(b));
  };
  EXPECT_EQ(estimate(U"一二三四", U"四三二一"), 1.0);
  EXPECT_NEAR(estimate(U"一二三四", U"一二三五"), 0.6, 0.07);
  EXPECT_NEAR(estimate(U"一二三四", U"一六七八"), 1.0 / 7, 0.06);
  EXPECT_NEAR(estimate(U"一二三四", U"五六七八"), 0.0, 0.02);
}

}  // namespace
}  // namespace qdedup::finder
