#include "finder/text_index.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "finder/minhash_scheme.h"
#include "finder/simhash_scheme.h"
#include "finder/substring_scheme.h"
#include "tests/reference/near_texts.h"

namespace qdedup::finder {
namespace {

struct Case {
  std::string name;
  std::function<std::unique_ptr<TextScheme>()> make;
  bool certain;  // near texts share a key for certain
};

template <class Scheme, class Settings>
Case scheme_case(std::string name, Settings settings, bool certain) {
  return {std::move(name), [settings] { return std::make_unique<Scheme>(settings); }, certain};
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

class TextIndexTest : public testing::TestWithParam<Case> {};

TEST_P(TextIndexTest, FindsWhatTheTwinFinds) {
  std::mt19937_64 random(7);
  const std::vector<std::u32string> texts = some_texts(random, 260);
  const auto scheme = GetParam().make();
  TextIndex index(GetParam().make());
  for (const std::u32string& text : texts) {
    scheme->learn(text);
    index.learn(text);
  }
  reference::NearTexts twin(*scheme);
  std::uint64_t now = 0;
  for (const std::u32string& text : texts) {
    const auto id = static_cast<QuestionId>(random() % 150 + 1);
    ++now;
    const QuestionId leaves = random() % 8 == 0 ? id : 0;
    ASSERT_EQ(index.remove(leaves), twin.remove(leaves));
    const QuestionId stays = random() % 8 == 0 ? id : 0;
    ASSERT_EQ(index.arrived(stays, now), twin.arrived(stays, now));
    const std::uint64_t before = now % 80 == 0 ? now - 60 : 0;
    ASSERT_EQ(index.expire(before), twin.expire(before));
    if (now % 50 == 0) index.fold();
    ASSERT_EQ(index.query(text), GetParam().certain ? twin.near(text) : twin.near_by_key(text));
    index.add(id, now, text);
    twin.add(id, now, text);
    ASSERT_EQ(index.size(), twin.size());
  }
}

TEST_P(TextIndexTest, FindsTheSameWithMoreKeysThanFit) {
  std::mt19937_64 random(9);
  TextIndex index(GetParam().make());
  TextIndex crowded(GetParam().make(), 10);
  const std::vector<std::u32string> texts = some_texts(random, 100);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    index.add(static_cast<QuestionId>(i + 1), i, texts[i]);
    crowded.add(static_cast<QuestionId>(i + 1), i, texts[i]);
  }
  int told = 0;
  EXPECT_TRUE(index.fold([&] { ++told; }));
  EXPECT_GT(told, 0);
  EXPECT_FALSE(crowded.fold());
  for (const QuestionId id : {1, 50}) EXPECT_EQ(crowded.remove(id), index.remove(id));
  EXPECT_EQ(crowded.expire(30), index.expire(30));
  for (const std::u32string& text : texts) ASSERT_EQ(crowded.query(text), index.query(text));
}

TEST_P(TextIndexTest, FindsWhatIsNearItsOwnTexts) {
  std::mt19937_64 random(10);
  const std::vector<std::u32string> texts = some_texts(random, 300);
  TextIndex index(GetParam().make());
  for (const std::u32string& text : texts) index.learn(text);
  for (std::size_t i = 0; i < texts.size(); ++i) index.add(static_cast<QuestionId>(i + 1), 0, texts[i]);
  index.fold();
  TextIndex::Scratch scratch;
  for (std::size_t place = 0; place < index.size(); ++place) {
    const QuestionId id = index.id_at(place);
    std::vector<QuestionId> found;
    index.find_earlier(
        place, [](QuestionId other) { return other % 7 != 0; },
        [&](QuestionId other) { found.push_back(other); }, scratch);
    std::vector<QuestionId> expected = index.query(texts[static_cast<std::size_t>(id) - 1]);
    std::erase_if(expected, [&](QuestionId other) { return other >= id || other % 7 == 0; });
    ASSERT_EQ(found, expected);
  }
}

TEST_P(TextIndexTest, GoesOnWhereItWasSaved) {
  std::mt19937_64 random(8);
  const std::vector<std::u32string> texts = some_texts(random, 300);
  TextIndex index(GetParam().make());
  for (const std::u32string& text : texts) index.learn(text);
  for (std::size_t i = 0; i < texts.size(); ++i) index.add(static_cast<QuestionId>(i + 1), i, texts[i]);
  index.remove(17);
  const std::string bytes = index.save();
  Result<TextIndex> loaded = TextIndex::load(bytes, GetParam().make());
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->save(), bytes);
  EXPECT_EQ(loaded->expire(100), index.expire(100));
  loaded->add(1000, 5, texts[3]);
  index.add(1000, 5, texts[3]);
  for (const std::u32string& text : texts) ASSERT_EQ(loaded->query(text), index.query(text));
}

TEST_P(TextIndexTest, RefusesWhatItDidNotSave) {
  TextIndex index(GetParam().make());
  index.add(1, 1, U"一二三四五六七八九十");
  index.add(2, 1, U"甲乙丙丁");
  const std::string bytes = index.save();
  for (std::size_t length = 0; length<bytes.size(); length += bytes.size()> 60000 ? bytes.size() / 7 : 1)
    EXPECT_FALSE(TextIndex::load(bytes.substr(0, length), GetParam().make()).ok()) << length;
  for (std::size_t at = 0; at<bytes.size(); at += bytes.size()> 60000 ? bytes.size() / 7 : 1) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(TextIndex::load(damaged, GetParam().make()).ok()) << at;
  }
  EXPECT_FALSE(TextIndex::load(bytes, std::make_unique<SubstringScheme>(SubstringSettings{.gram = 9})).ok());
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, TextIndexTest,
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

TEST(SimhashScheme, MayLookAtTheLongestSentenceOnly) {
  const SimhashScheme scheme({.longest_sentence = true});
  EXPECT_EQ(scheme.signature(U"甲乙。一二三四五！丙"), scheme.signature(U"一二三四五"));
  EXPECT_EQ(scheme.signature(U"一二三四五"), scheme.signature(U"一二三四五。"));
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
