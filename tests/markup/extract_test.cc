#include "markup/extract.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(Extract, PlainTextsAreAsTheyAre) {
  const std::string text = "5．<p>\\frac{1}{2}&lt;[图] (A)\x01 (-3, 2)</p>";
  const Extracted plain = extract(text, {});
  EXPECT_EQ(plain.text, text);
  EXPECT_FALSE(plain.has_markup());
  EXPECT_TRUE(plain.figures.empty());
}

TEST(Extract, ATextWithoutMarkupStaysTheSame) {
  for (const std::string text :
       {"小红买10本书，每本3.5元，共多少元？", "a<b，c>d", "1 + 1 = ( )\n  A. 2  B. 3", "AT&T"}) {
    const Extracted read = extracted(text);
    EXPECT_EQ(read.text, text);
    EXPECT_FALSE(read.has_markup());
  }
}

TEST(Extract, WatermarksVanish) {
  EXPECT_EQ(text_of("求面积[来源:学科网ZXXK]。"), "求面积。");
  EXPECT_EQ(text_of("菁优网版权所有求面积"), "求面积");
  EXPECT_EQ(text_of("[来源:\n求]"), "[来源:\n求]");
}

TEST(Extract, BracketsRoundBracketsDoNotCount) {
  EXPECT_EQ(text_of("$\\left(\\frac{R}{R-d}\\right)^2$"), "(R/(R-d))^2");
  EXPECT_EQ(signs_of_markup("( (R/(R-d) ) )<sup>2</sup>"), signs_of_markup("(R/(R-d))<sup>2</sup>"));
  EXPECT_EQ(text_of("$\\sqrt{\\frac{1}{2}}$"), "√(1/2)");
  EXPECT_EQ(text_of("(((x+1)))"), "(x+1)");
  for (const std::string text : {"((a+b)(c+d))", "((a+b)+1)", "(1+(a+b))", "((a+b)", "(a+b))"}) {
    EXPECT_EQ(text_of(text), text);
  }
}

TEST(Extract, WhiteSpaceBesideCommasOfCoordinatesDoesNotCount) {
  EXPECT_EQ(text_of("N(-3, 2)"), "N(-3,2)");
  EXPECT_EQ(text_of("（3 ， 4）"), "（3，4）");
  EXPECT_EQ(text_of("[0, 1)和{1, 2, 3}"), "[0,1)和{1,2,3}");
  EXPECT_EQ(text_of("(共a, b个)"), "(共a, b个)");
  EXPECT_EQ(text_of("(a, b"), "(a, b");
}

TEST(Extract, WhiteSpaceBesideCommasOfNumbersDoesNotCount) {
  EXPECT_EQ(text_of("数列1, 2 ，3,\t5"), "数列1,2，3,5");
  EXPECT_EQ(signs_of_markup("$00,8:30$"), signs_of_markup("00, 8:30"));
  EXPECT_EQ(text_of("有1, 234和12,  500"), "有1, 234和12,  500");  // no thousands
  EXPECT_EQ(text_of("1,\n2"), "1,\n2");
  EXPECT_EQ(text_of("a, 2"), "a, 2");
}

TEST(Extract, HtmlAndLatexMix) {
  EXPECT_EQ(signs_of_markup("<p>若$a &lt; b$，则$\\frac{<i>a</i>}{b}$</p>"), "a < b ( a / b )");
  EXPECT_EQ(signs_of_markup("<p>$x<sub>1</sub>^2$</p>"), "x _ 1 ^ 2");
  EXPECT_EQ(text_of("<sup>$2</sup>$ 3"), "^2$ 3");
}

TEST(Extract, ABraceThatIsGoneIsNotErased) {
  EXPECT_EQ(text_of("\\phantom{\\left\\{ab}甲乙\\right."), "甲乙");
}

TEST(Extract, ADeterminantIsNoMatrix) {
  EXPECT_NE(signs_of_markup("$\\begin{vmatrix}1&2\\\\3&4\\end{vmatrix}$"),
            signs_of_markup("$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$"));
}

TEST(Extract, DropsWhatStandsForFiguresFromTheTextItself) {
  for (const std::string text :
       {"甲\U000E1000乙\U000E1FFF", "<b>甲\U000E1234</b>乙", "甲&#xE1000;乙&#xE1FFF;"})
    EXPECT_EQ(text_of(text), "甲乙") << text;
  EXPECT_EQ(text_of("甲\U000E0100乙\U000E2000"), "甲\U000E0100乙\U000E2000");
}

}  // namespace
}  // namespace qdedup::markup
