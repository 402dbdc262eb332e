#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "refine/question_layout.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// The last word of a text that is spelt so.
Token word_in(std::string_view text, std::string_view word) {
  NameIndex names;
  const QuestionLayout layout = read_layout(text, names);
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

}  // namespace
}  // namespace qdedup::refine
