#include "refine/question_layout.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "refine/text_forms.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

QuestionLayout layout_of(std::string_view text) {
  NameIndex names;
  return read_layout(TextForms(text), names);
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
  const QuestionLayout a = read_layout(TextForms("小红和小明"), names);
  const QuestionLayout b = read_layout(TextForms("小明"), names);
  EXPECT_EQ(a.stem[2].word.meaning, b.stem[0].word.meaning);
  EXPECT_NE(a.stem[0].word.meaning, b.stem[0].word.meaning);
}

TEST(QuestionLayout, OriginsAreCodePointsOfTheText) {
  const QuestionLayout layout = layout_of("½树");
  EXPECT_EQ(layout.origins, (std::vector<std::size_t>{0, 0, 0, 1}));
}

// The last word of a text that is spelt so.
Token word_in(std::string_view text, std::string_view word) {
  const QuestionLayout layout = layout_of(text);
  const auto spelt = [&](const Token& token) { return to_utf8(layout.spelling(token)) == word; };
  const auto found = std::find_if(layout.stem.rbegin(), layout.stem.rend(), spelt);
  return found == layout.stem.rend() ? Token() : *found;
}

struct Reading {
  std::string_view name;
  std::string_view text;
  std::string_view word;
  WordKind kind;
};

std::ostream& operator<<(std::ostream& out, const Reading& reading) { return out << reading.name; }

std::string reading_name(const testing::TestParamInfo<Reading>& info) { return std::string(info.param.name); }

class ReadingOfAWord : public testing::TestWithParam<Reading> {};

TEST_P(ReadingOfAWord, DecidesTheKind) {
  const auto& [name, text, word, kind] = GetParam();
  const Token token = word_in(text, word);
  EXPECT_GT(token.end, token.begin) << word << " is no word of " << text;
  EXPECT_EQ(token.word.kind, kind);
}

INSTANTIATE_TEST_SUITE_P(
    Words, ReadingOfAWord,
    testing::Values(Reading{"UnitAfterANumber", "3米", "米", WordKind::unit},
                    Reading{"UnitWithinAWord", "江米", "米", WordKind::content},
                    Reading{"HoldsAnAmount", "3袋米", "袋", WordKind::unit},
                    Reading{"OnlyPoints", "这袋米", "袋", WordKind::calculation_filler},
                    Reading{"OnlyPointsAtOne", "这样一袋米", "袋", WordKind::calculation_filler},
                    Reading{"StretchOfARoad", "修一段路", "段", WordKind::calculation_filler},
                    Reading{"StretchThatIsCounted", "第二段路", "段", WordKind::quantity},
                    Reading{"TenthAfterANumber", "降低3成", "成", WordKind::number},
                    Reading{"SawnInto", "锯成4段", "成", WordKind::complement},
                    Reading{"DiscountAsked", "打几折", "折", WordKind::filler},
                    Reading{"YearAfterFourDigits", "2015年", "年", WordKind::filler},
                    Reading{"YearAfterOneDigit", "5年", "年", WordKind::unit},
                    Reading{"GoesAtTheStartOfAClause", "有5人，去买书", "去", WordKind::calculation_filler},
                    Reading{"GoesWithinAClause", "有5人去买书", "去", WordKind::complement},
                    Reading{"Why", "为什么下雨？", "为什么", WordKind::query},
                    Reading{"And", "苹果和梨", "和", WordKind::filler},
                    Reading{"Sum", "3与5的和是8", "和", WordKind::relation},
                    Reading{"HowLong", "这条路有多长？", "多", WordKind::query},
                    Reading{"HowBig", "能压多大的路面", "多", WordKind::query},
                    Reading{"LongerBy", "甲比乙多3", "多", WordKind::relation},
                    Reading{"StillMore", "是乙的2倍还多3", "还", WordKind::calculation_filler},
                    Reading{"StillHas", "还有3个", "还", WordKind::quantity},
                    Reading{"ThenAtTheEndOfAClause", "2小时后，相遇", "后", WordKind::calculation_filler},
                    Reading{"FactorOfAProduct", "积是8，因数是2", "因数", WordKind::calculation_filler},
                    Reading{"FactorOfANumber", "8的因数是几", "因数", WordKind::relation}),
    reading_name);

TEST(WordsInContext, LargerByAnAmountIsMore) {
  EXPECT_EQ(word_in("甲比乙大3", "大").word.meaning, word_in("甲比乙多3", "多").word.meaning);
  EXPECT_NE(word_in("甲比乙大", "大").word.meaning, word_in("甲比乙多", "多").word.meaning);
}

TEST(WordsInContext, AComplementStandsRightBehindItsVerb) {
  EXPECT_TRUE(word_in("运来3箱", "来").complements || word_in("搬来3箱", "来").complements);
  EXPECT_TRUE(word_in("行3小时后到", "后").complements);
  EXPECT_FALSE(word_in("买书，来3人", "来").complements);
}

TEST(KeptCharacters, AreEqualForTheSameWordsInTheSameOrder) {
  EXPECT_EQ(kept_characters(TextForms("(３)个 梨，“1.5”元")), kept_characters(TextForms("3个梨1.5元。")));
  EXPECT_NE(kept_characters(TextForms("3个梨")), kept_characters(TextForms("梨3个")));
  EXPECT_NE(kept_characters(TextForms("3 12")), kept_characters(TextForms("31 2")));
  EXPECT_NE(kept_characters(TextForms("1.2")), kept_characters(TextForms("12")));
  EXPECT_NE(kept_characters(TextForms("1.2")), kept_characters(TextForms("1 2")));
}

}  // namespace
}  // namespace qdedup::refine
