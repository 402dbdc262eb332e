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

TEST(FindOptions, BareLetters) {
  const Options cities{U"北京", U"南京", U"上海", U"天津"};
  EXPECT_EQ(options(U"首都是( )A北京B南京C上海D天津"), cities);
  EXPECT_EQ(options(U"首都是(__)。 A北京B南京C上海D天津"), cities);
  EXPECT_EQ(options(U"首都是____A北京B、南京C上海D天津"), cities);
  EXPECT_EQ(options(U"首都是哪里?A北京B南京C上海D天津"), cities);
  EXPECT_EQ(options(U"A地到B地,可分为( )A12月B20°C以上C30°C以上DNA D5"),
            (Options{U"12月", U"20°C以上", U"30°C以上DNA ", U"5"}));
}

TEST(FindOptions, BareLettersOfAStoryAreNone) {
  EXPECT_EQ(options(U"A在B的左边,C在D的左边"), Options());
  EXPECT_EQ(options(U"学校有A班、B班、C班、D班,每班几人?"), Options());
  EXPECT_EQ(options(U"四边形ABCD中,A在B的左边,C在D的左边"), Options());
  EXPECT_EQ(options(U"首都是( )A北京B南京C上海"), Options());
  EXPECT_EQ(options(U"首都是( )A北京B南京CD天津"), Options());
}

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
