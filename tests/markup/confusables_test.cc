#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "markup/tidying.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

void expect_equal(std::initializer_list<std::pair<std::string, std::string>> pairs) {
  for (const auto& [one, other] : pairs) EXPECT_EQ(signs_of_markup(one), signs_of_markup(other)) << one;
}

void expect_kept(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) EXPECT_EQ(text_of(text), text);
}

TEST(Confusables, ASquareWithThreeCornersIsATriangle) {
  EXPECT_EQ(text_of("$\\square O D E$的面积"), "△ O D E的面积");
  expect_kept({"□ABCD和□AB，3□4"});
}

TEST(Confusables, AnOrWithoutOperandsIsALetter) {
  expect_equal({{"体积为$\\vee$的球", "体积为$V$的球"},
                {"$\\vee=\\frac{1}{3}Sh$", "$V=\\frac{1}{3}Sh$"},
                {"$C_{\\vee}$", "$C_V$"},
                {"全集$\\cup=R$", "全集$U=R$"},
                {"$A\\cap C_\\cup B$", "$A\\cap C_U B$"}});
  expect_kept({"p∨q", "p ∨ ¬q", "(a∨b)∨c", "2006∨2008", "α∨β", "p∨____", "A∪B", "____∪(2,3)", "A∪∅"});
}

TEST(Confusables, ALetterBetweenPropositionsIsASign) {
  expect_equal({{"命题p V q", "命题$p\\vee q$"},
                {"pvq为真", "$p\\lor q$为真"},
                {"(¬p)V q", "$(\\neg p)\\vee q$"},
                {"p V (┐q)", "$p\\vee(\\neg q)$"},
                {"$p_1 V p_2$", "$p_1\\vee p_2$"},
                {"pΛq", "$p\\wedge q$"}});
  expect_kept({"pV=nRT", "V", "a V b", "up V q", "p Vqx", "Λ"});
}

TEST(Confusables, SignsLookAlike) {
  expect_equal({{"△ABC∽△DEF", "$\\triangle ABC\\sim\\triangle DEF$"},
                {"△ABC∼△DEF", "$\\triangle ABC\\backsim\\triangle DEF$"},
                {"A⋂B", "$A\\bigcap B$"},
                {"A⋃B", "$A\\cup B$"},
                {"☉O和⨀P", "$\\odot O$和$\\bigodot P$"},
                {"A⟶B", "$A\\rightarrow B$"},
                {"A⟺B", "$A\\iff B$"},
                {"∡A", "∠A"},
                {"n∊N", "$n\\in N$"},
                {"A´B´C´", "A'B'C'"},
                {"2H₂+O₂═2H₂O", "$2H_2+O_2=2H_2O$"},
                {"2H₂+O₂═══2H₂O", "$2H_2+O_2=2H_2O$"},
                {"\\ding{172}甲\\ding{181}乙\\ding{202}", "①甲⑩乙①"},
                {"30<sup>o</sup>和30^o", "30°和$30^\\circ$"},
                {"5^oC", "5℃"}});
}

TEST(Confusables, AnglesHaveMinutesAndSeconds) {
  expect_equal({{"30°15'", "$30^\\circ 15^\\prime$"}, {"30° 15’20’’", "30° 15′20″"}});
  expect_kept({"15'20", "5'6''", "°'", "'", "30°'15"});
}

TEST(Confusables, CombiningCharactersAreAccents) {
  expect_equal({{"x\u0304", "$\\bar{x}$"},
                {"x\u0305=3", "$\\overline x=3$"},
                {"a\u20D7·b\u20D7", "$\\vec a\\cdot\\vec b$"},
                {"0.12\u0307", "$0.1\\dot 2$"},
                {"0.1\u030723\u0307", "$0.\\dot{1}2\\dot{3}$"},
                {"y\u0302=bx", "$\\hat{y}=bx$"}});
  expect_kept(
      {"ma\u0304", "m\u0307", "A\u0305B\u0305", "AB\u20D7", "√a\u0305", "\u0305x", "甲\u0305", "Xx\u0304"});
}

TEST(Confusables, AScriptAIsALetterOfAWord) {
  expect_equal({{"kɑi", "kai"}, {"gɑ\u0300n", "gàn"}, {"ɡuo", "guo"}});
  expect_kept({"∠ɑ"});
}

TEST(Confusables, ALetterBetweenIntervalsIsASign) {
  expect_equal({{"（－∞，1）U（2，＋∞）", "$(-\\infty,1)\\cup(2,+\\infty)$"},
                {"[0,1) U [2,3]", "$[0,1)\\cup[2,3]$"},
                {"(-3, 0)U(0, 3)", "$(-3,0)\\cup(0,3)$"}});
  expect_kept({"(C) U (D) W", "F(x)U(t)", "U(1,2)"});
}

TEST(Confusables, AZeroWithAnIndexIsALetter) {
  expect_equal({{"$0_{2}$通过", "O2通过"},
                {"$\\mathrm{C0}_{2}$", "CO2"},
                {"$\\mathrm{Fe}_{2} 0_{3}$", "Fe2O3"},
                {"$\\mathrm{Na}_{2}\\mathrm{S0}_{4}$", "Na2SO4"},
                {"⊙$0_{1}$与⊙$0_2$", "⊙O₁与⊙O₂"}});
  for (const std::string text :
       {"$10_{2}$", "$1010_{(2)}$", "$1.0_2$", "$0_{(2)}$", "$00\\cdots 0_{10个0}$", "$x_{2} 0$", "$H_2 0.5$",
        "$N_2$ 0 mol", "$a_1 0$", "$x=0$", "$0_{12345}$"}) {
    EXPECT_EQ(text_of(text).find('O'), std::string::npos) << text_of(text);
  }
}

TEST(Confusables, StrokesBetweenLinesAreParallel) {
  expect_equal({{"AB//CD", "$AB\\parallel CD$"},
                {"$A B / / C D$", "AB∥CD"},
                {"$l// \\alpha$", "l∥α"},
                {"l1//l2", "$l1\\parallel l2$"},
                {"$l_1//l_2$", "$l_1\\parallel l_2$"},
                {"$\\vec{a}//\\vec{b}$", "$\\vec a\\parallel\\vec b$"},
                {"$\\overrightarrow{AB}//\\overrightarrow{CD}$",
                 "$\\overrightarrow{AB}\\parallel\\overrightarrow{CD}$"},
                {"平面α//平面β", "平面α∥平面β"},
                {"AB‖CD", "AB∥CD"}});
  expect_kept({"http://www.a.cn", "int a; // b", "Http//www", "CGG//GCC", "x // 注释", "‖a‖b‖"});
}

TEST(Confusables, ARingAfterANumberIsADegree) {
  expect_equal(
      {{"∠A=30∘", "∠A=30°"}, {"$30{}^{}\\circ$", "30°"}, {"25∘C", "25℃"}, {"A.30∘ B.60∘", "A.30° B.60°"}});
  expect_kept({"f∘g", "2∘3", "2∘(3∘4)", "2∘x"});
}

TEST(Confusables, AComplementIsWrittenInTwoWays) {
  expect_equal({{"$\\complement_U A$", "$C_U A$"},
                {"∁UA", "$C_{U}A$"},
                {"$\\complement _{U} A$", "$C_U A$"},
                {"∁_UA", "$C_U A$"},
                {"$\\complement_{R}(A\\cup B)$", "$C_R(A\\cup B)$"}});
}

TEST(Confusables, AStarAfterASetOfNumbersIsRaised) {
  expect_equal(
      {{"n∈N*", "$n\\in N^*$"}, {"n∈N﹡", "$n\\in N^{*}$"}, {"$x\\in \\mathbf{R}*$", "$x\\in R^*$"}});
  expect_kept({"N*M", "a*b"});
}

TEST(Confusables, AnApostropheBehindALetterIsAPrime) {
  EXPECT_EQ(text_of("△A'B'C'与f'(x)和x'"), "△A′B′C′与f′(x)和x′");
  EXPECT_EQ(text_of("f’(x)"), "f′(x)");
  EXPECT_EQ(text_of("y''+y=f'''(x)，A''B''，g’’(x)"), "y′′+y=f′′′(x)，A′′B′′，g′′(x)");
  for (const std::string text :
       {"brother's", "I'm", "the boys' bikes", "选'a'还是'b'", "‘a’", "选''a''", "不是``E''", "f''''(x)",
        "''Plan A'' and ''Team B''", "‘‘Team B’’", "''good'' ''It is I''"})
    EXPECT_EQ(text_of(text), text);
  EXPECT_EQ(text_of("''Hello!'' f''(x)"), "''Hello!'' f′′(x)");
  EXPECT_EQ(text_of("''Plan A''：y''+f''(x)=(uv)''-g''"), "''Plan A''：y′′+f′′(x)=(uv)''-g′′");
}

}  // namespace
}  // namespace qdedup::markup
