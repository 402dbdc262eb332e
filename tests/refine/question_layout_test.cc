#include "refine/question_layout.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "refine/layout_text.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

QuestionLayout layout_of(std::string_view text) {
  NameIndex names;
  return read_layout(text, names);
}

std::string words(const QuestionLayout& layout, const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (!text.empty()) text += ' ';
    text += to_utf8(layout.spelling(token));
  }
  return text;
}

std::string asked(const QuestionLayout& layout) {
  std::string text;
  for (const Token& token : layout.stem) {
    if (token.asks) text += to_utf8(layout.spelling(token));
  }
  return text;
}

TEST(QuestionLayout, CutsIntoWords) {
  const QuestionLayout layout = layout_of("小红有12.5千克苹果，还剩多少？");
  EXPECT_EQ(words(layout, layout.stem), "小红 有 1 2 . 5 千克 苹 果 还剩 多少");
}

TEST(QuestionLayout, TellsStemFromOptions) {
  const QuestionLayout layout = layout_of("首都是 A.北京 B.上海");
  EXPECT_EQ(words(layout, layout.stem), "首都 是");
  ASSERT_EQ(layout.options.size(), 2U);
  EXPECT_EQ(words(layout, layout.options[1]), "上海");
}

TEST(QuestionLayout, NumbersThatAreCutOtherwiseDiffer) {
  const QuestionLayout a = layout_of("3 12");
  const QuestionLayout b = layout_of("31 2");
  ASSERT_EQ(a.stem.size(), b.stem.size());
  EXPECT_NE(a.stem[1].word.meaning, b.stem[1].word.meaning);
}

TEST(QuestionLayout, TheClauseWithAQueryWordAsks) {
  EXPECT_EQ(asked(layout_of("有3个梨，几个桃？梨比桃多。")), "几个桃");
}

TEST(QuestionLayout, ElseTheLastClauseAsks) {
  EXPECT_EQ(asked(layout_of("有3个梨，梨比桃多。")), "梨比桃多");
}

TEST(QuestionLayout, CalculatesWithNumbersAndAQueryAndWithoutOptions) {
  EXPECT_TRUE(layout_of("3加5是多少？").calculates);
  EXPECT_TRUE(layout_of("3+5=").calculates);
  EXPECT_FALSE(layout_of("三加五是多少？").calculates);
  EXPECT_FALSE(layout_of("3加5。").calculates);
  EXPECT_FALSE(layout_of("3加5是多少？ A.7 B.8").calculates);
}

TEST(QuestionLayout, AMeasureWordCountsOnlyAfterANumber) {
  const QuestionLayout layout = layout_of("3本书和本人");
  EXPECT_EQ(layout.stem[1].word.kind, WordKind::filler);
  const QuestionLayout other = layout_of("书本");
  EXPECT_EQ(other.stem.back().word.kind, WordKind::content);
}

TEST(QuestionLayout, AnHourMayBeWrittenShortAfterAStroke) {
  const QuestionLayout layout = layout_of("5千米/时");
  const QuestionLayout other = layout_of("5千米/小时");
  EXPECT_EQ(layout.stem.back().word.meaning, other.stem.back().word.meaning);
}

TEST(QuestionLayout, EqualNamesMeanTheSame) {
  NameIndex names;
  const QuestionLayout a = read_layout("小红和小明", names);
  const QuestionLayout b = read_layout("小明", names);
  EXPECT_EQ(a.stem[2].word.meaning, b.stem[0].word.meaning);
  EXPECT_NE(a.stem[0].word.meaning, b.stem[0].word.meaning);
}

TEST(QuestionLayout, OriginsAreCodePointsOfTheText) {
  const QuestionLayout layout = layout_of("½树");
  EXPECT_EQ(layout.origins, (std::vector<std::size_t>{0, 0, 0, 1}));
}

TEST(KeptCharacters, AreEqualForTheSameWordsInTheSameOrder) {
  EXPECT_EQ(kept_characters("(３)个 梨，“1.5”元"), kept_characters("3个梨1.5元。"));
  EXPECT_NE(kept_characters("3个梨"), kept_characters("梨3个"));
  EXPECT_NE(kept_characters("3 12"), kept_characters("31 2"));
  EXPECT_NE(kept_characters("1.2"), kept_characters("12"));
  EXPECT_NE(kept_characters("1.2"), kept_characters("1 2"));
}

}  // namespace
}  // namespace qdedup::refine
