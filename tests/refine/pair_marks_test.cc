#include "refine/pair_marks.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// The marks as "5-6:number+differs …", each kind by its first letters.
std::string shown(const std::vector<Mark>& marks) {
  std::string text;
  for (const Mark& mark : marks) {
    text += (text.empty() ? "" : " ") + std::to_string(mark.begin) + "-" + std::to_string(mark.end) + ":";
    const char* letters = "dfnuxF";
    for (unsigned bit = 0; bit < 6; ++bit) {
      if ((mark.kinds & (1U << bit)) != 0) text += letters[bit];
    }
  }
  return text;
}

TEST(PairMarks, TellWhatDiffers) {
  const PairMarks marks = mark_pair("小明比小红多", "小红比小红多");
  EXPECT_EQ(shown(marks.question), "1-2:d");
  EXPECT_EQ(shown(marks.keeper), "1-2:d");
}

TEST(PairMarks, TellApartWhatTheTestDoesNotSee) {
  const PairMarks marks = mark_pair("好吗？", "好吗。");
  EXPECT_EQ(shown(marks.question), "2-3:df");
}

TEST(PairMarks, KnowNumbersUnitsAndNegations) {
  EXPECT_EQ(shown(mark_pair("绳长12米", "绳长12米").question), "2-4:n 4-5:u");
  EXPECT_EQ(shown(mark_pair("哪项不正确", "哪项不正确").question), "2-3:x");
}

TEST(PairMarks, TakeTheDigitsOfAFormulaForPartOfIt) {
  EXPECT_EQ(shown(mark_pair("已知2x+3=11求x", "已知2x+3=11求x").question), "2-9:F 10-11:F");
  EXPECT_EQ(shown(mark_pair("有3个", "有3个").question).substr(0, 5), "1-2:n");
}

TEST(PairMarks, OfAnEmptyTextMakeNoDifference) {
  const PairMarks marks = mark_pair("", "好吗");
  EXPECT_TRUE(marks.question.empty());
  EXPECT_TRUE(marks.keeper.empty());
  EXPECT_TRUE(mark_pair("", "").question.empty());
}

void expect_in_order(const std::vector<Mark>& marks, std::size_t length) {
  std::size_t end = 0;
  for (const Mark& mark : marks) {
    EXPECT_LE(end, mark.begin);
    EXPECT_LT(mark.begin, mark.end);
    EXPECT_NE(mark.kinds, 0U);
    end = mark.end;
  }
  EXPECT_LE(end, length);
}

TEST(PairMarks, AreInOrderAndWithinAnyText) {
  const std::u32string pieces = U"小明不3.5kg(x+y²)=½，。 \n少多米①𠀀\uFFFD";
  std::mt19937 random(11);
  const auto text = [&] {
    std::u32string made;
    for (std::size_t i = random() % 20; i > 0; --i) made += pieces[random() % pieces.size()];
    return to_utf8(made);
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string question = text();
    const std::string keeper = text();
    const PairMarks marks = mark_pair(question, keeper);
    expect_in_order(marks.question, to_utf32(question).size());
    expect_in_order(marks.keeper, to_utf32(keeper).size());
  }
}

}  // namespace
}  // namespace qdedup::refine
