#include "refine/features.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

std::vector<Feature> named(const std::vector<std::u32string>& words) {
  std::vector<Feature> features;
  for (const std::u32string& word : words) features.push_back(Features::named(word));
  return features;
}

TEST(Features, AreTheWordsOfATextWithoutPunctuation) {
  const Features words({.gram = 0});
  EXPECT_EQ(words.of(U"我们学习数学。数学！"), named({U"我们", U"学习", U"数学", U"数学"}));
  EXPECT_EQ(words.of(U"𠀀𠀁，我们学习 abc 12.5"), named({U"𠀀", U"𠀁", U"我们", U"学习", U"abc", U"12.5"}));
  EXPECT_TRUE(words.of(U"").empty());
  EXPECT_TRUE(words.of(U"，。 ").empty());
}

TEST(Features, AreRunsOfCharactersOrAShorterTextAsAWhole) {
  EXPECT_EQ(Features({}).of(U"一二一二"), named({U"一二", U"二一", U"一二"}));
  EXPECT_EQ(Features({.gram = 3}).of(U"一二"), named({U"一二"}));
}

TEST(Features, PassOverThoseWithoutWeight) {
  const Features features({.weights = {{Features::named(U"一二"), 0}, {Features::named(U"二三"), 5}}});
  EXPECT_EQ(features.of(U"一二三四"), named({U"二三", U"三四"}));
  EXPECT_EQ(features.weight(Features::named(U"二三")), 5U);
  EXPECT_EQ(features.weight(Features::named(U"三四")), 1U);
}

}  // namespace
}  // namespace qdedup::refine
