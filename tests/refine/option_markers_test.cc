#include "refine/option_markers.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

std::vector<std::u32string> options(std::u32string_view text) {
  std::vector<std::u32string> options;
  for (const OptionStretch& option : find_options(text)) {
    options.emplace_back(text.substr(option.begin, option.end - option.begin));
  }
  return options;
}

using Options = std::vector<std::u32string>;

TEST(FindOptions, AfterAFullStop) { EXPECT_EQ(options(U"首都是 A.北京B.上海"), (Options{U"北京", U"上海"})); }

TEST(FindOptions, InBrackets) { EXPECT_EQ(options(U"首都是(A)北京(B)上海"), (Options{U"北京", U"上海"})); }

TEST(FindOptions, AfterWhiteSpace) {
  EXPECT_EQ(options(U"首都是 A 北京 B 上海"), (Options{U"北京 ", U"上海"}));
}

TEST(FindOptions, AfterACommaOfLists) {
  EXPECT_EQ(options(U"首都是A、北京B、上海"), (Options{U"北京", U"上海"}));
}

TEST(FindOptions, TheLastRow) { EXPECT_EQ(options(U"甲说A.对B.错，问 A.是 B.否"), (Options{U"是 ", U"否"})); }

TEST(FindOptions, OptionsOfNumbersAndLetters) { EXPECT_EQ(options(U"得 A.3 B.x"), (Options{U"3 ", U"x"})); }

TEST(FindOptions, PlacesInAStoryAreNone) {
  EXPECT_EQ(options(U"A、B两地相距5千米"), Options());
  EXPECT_EQ(options(U"A、B、C三地相距5千米"), Options());
}

TEST(FindOptions, OneIsNone) { EXPECT_EQ(options(U"首都是 A.北京"), Options()); }

TEST(FindOptions, AGapEndsThem) { EXPECT_EQ(options(U"是 A.一 B.二 D.四"), (Options{U"一 ", U"二 D.四"})); }

TEST(FindOptions, LettersOfAWordAreNone) { EXPECT_EQ(options(U"CAB.com有DNAA.甲B.乙"), Options()); }

// Quadratic time would take minutes.
TEST(FindOptions, AnyNumberOfLettersIsNone) {
  std::u32string text;
  for (int i = 0; i < 300'000; ++i) text += U"A.";
  EXPECT_EQ(options(text), Options());
  EXPECT_EQ(options(text + U"B." + std::u32string(300'000, U';')), Options());
}

TEST(FindOptions, Empty) { EXPECT_EQ(options(U""), Options()); }

}  // namespace
}  // namespace qdedup::refine
