#include "markup/formula_reader.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/markup/texts.h"
#include "tests/support/sampled.h"

namespace qdedup::markup {
namespace {

void expect_one(const std::vector<std::string>& writings) {
  for (const std::string& writing : writings) {
    EXPECT_EQ(signs_of_markup(writing), signs_of_markup(writings[0])) << writing << "\n"
                                                                      << text_of(writing) << "\n"
                                                                      << text_of(writings[0]);
  }
}

TEST(FormulaReader, RaisedAndLoweredHaveOneForm) {
  EXPECT_EQ(signs_of_markup("x^2"), "x ^ 2");
  expect_one({"x²", "x^2", "x^{2}", "$x^2$", "$$x^{2}$$", "\\(x^2\\)", "x<sup>2</sup>",
              "x<sup>2</sup><sup>&nbsp;</sup>", "<sub>\u2009</sub>x<sup>2</sup>",
              "<math><msup><mi>x</mi><mn>2</mn></msup></math>",
              "x<span style=\"vertical-align: super\">2</span>", "${{x}^{2}}$", "x\\textsuperscript{2}"});
  expect_one({"x¹⁰", "x^10", "x^{10}", "$x^{10}$", "x<sup>10</sup>"});
  expect_one({"x^2.5", "x^{2.5}", "$x^2.5$", "x<sup>2.5</sup>"});
  expect_one({"x^{n+1}", "x^(n+1)", "x<sup>n+1</sup>", "$x^{n+1}$"});
  expect_one({"Mg²⁺", "$Mg^{2+}$", "Mg<sup>2+</sup>", "$\\mathrm{Mg}^{2+}$", "$\\mathrm{Mg}^{2^{+}}$"});
  EXPECT_EQ(signs_of_markup("a_{1}"), "a _ 1");
  expect_one(
      {"a₁", "a_1", "a_{1}", "$a_1$", "a<sub>1</sub>", "<math><msub><mi>a</mi><mn>1</mn></msub></math>"});
  expect_one({"α₁", "α_1", "α_{1}", "$\\alpha_1$"});
  expect_one({"x^{-1}", "x⁻¹", "x<sup>-1</sup>"});
  expect_one({"$a_1^2$", "<math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math>",
              "a<sub>1</sub><sup>2</sup>"});
  expect_one({"${}_6^{14}C$",
              "<math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math>"});
  expect_one({"${}^{14}C_2$",
              "<math><mmultiscripts><mi>C</mi><mn>2</mn><none/><mprescripts/><none/><mn>14</mn></"
              "mmultiscripts></math>"});
}

TEST(FormulaReader, NoSpaceStandsBeforeAFactorial) {
  expect_one({"n!", "$n!$", "$n !$"});
  expect_one({"(n+1)!", "$(n+1) !$"});
  EXPECT_EQ(text_of("a ${ !x}$"), "a !x");
  EXPECT_EQ(text_of("a $!x$"), "a !x");
}

TEST(FormulaReader, ChineseMayStandInScriptsAndBracketsOfAFormula) {
  expect_one({"v_{甲}=5", "$v_甲=5$", "$v_{甲}=5$"});
  expect_one({"S(甲)=5", "$S(甲)=5$"});
  EXPECT_EQ(text_of("$5(约35元)和$6"), "$5(约35元)和$6");
}

TEST(FormulaReader, ModifierLettersAreScripts) {
  expect_one({"$2^x$", "2ˣ", "2<sup>x</sup>"});
  expect_one({"$2^{x+1}$", "2ˣ⁺¹"});
  expect_one({"$(a+b)^m$", "(a+b)ᵐ"});
  expect_one({"$x^{n+1}$", "xⁿ⁺¹"});
  expect_one({"$a_{n+1}$", "aₙ₊₁"});
  expect_one({"$x_m^T$", "xₘᵀ"});
  expect_one({"$v_i+v_j$", "vᵢ+vⱼ"});
  EXPECT_EQ(signs_of_markup("ˈæ"), signs_in("ˈæ"));
}

TEST(FormulaReader, RaisedQuotesArePrimes) {
  expect_one({"$f''(1)$", "f<sup>''</sup>(1)", "f<sup>’’</sup>(1)", "f″(1)"});
  expect_one({"$f'(1)$", "f<sup>'</sup>(1)", "<math><msup><mi>f</mi><mo>'</mo></msup></math>(1)"});
}

TEST(FormulaReader, WhatIsLoweredComesFirst) {
  expect_one({"$x_1^2$", "$x^2_1$", "$x^{2}_{1}$", "$x ^ { 2 } _ { 1 }$", "x<sup>2</sup><sub>1</sub>", "x²₁",
              "x<sup>2</sup><sub></sub><sub>1</sub>", "${x^2}_1$"});
  expect_one(
      {"$_{92}^{235}\\mathrm{U}$", "$^{235}_{92}\\mathrm{U}$", "<sup>235</sup><sub>92</sub>U", "²³⁵₉₂U"});
  expect_one({"$f''_{1}$", "$f_1''$", "$f^{\\prime\\prime}_1$", "$f_{1}^{\\prime\\prime}$"});
  expect_one({"$x_{a_b^c}^{2}$", "$x^2_{a^c_b}$"});
  EXPECT_EQ(signs_of_markup("$x^2_1_3$"), "x _ 1 ^ 2 _ 3");
  EXPECT_EQ(signs_of_markup("$H^{+}{}_{1}^{2}H$"), "H ^ + _ 1 ^ 2 H");
  EXPECT_EQ(signs_of_markup("$x^2{_1y}$"), "x ^ 2 _ 1 y");
  EXPECT_EQ(signs_of_markup("x<sup>2</sup> <sub>1</sub>"), "x ^ 2 _ 1");
  EXPECT_EQ(signs_of_markup("$30^\\circ_1$"), "30 ° _ 1");
  EXPECT_EQ(signs_of_markup("\\phantom{x^2}ab_1"), "a b _ 1");
  EXPECT_EQ(signs_of_markup("$x^2\\phantom{_1}$"), "x ^ 2");
}

TEST(FormulaReader, NumbersOverEachOtherAreOfANuclide) {
  expect_one({"$_{0}^{1}\\mathrm{n}$", "$\\underset{0}{1}\\mathrm{n}$", "$\\stackrel{1}{0}\\mathrm{n}$",
              "$\\overset{1}{0} n$", "$\\underset { 0 } { 1 } n$"});
  expect_one({"${ }_{92}^{235} U$", "$\\stackrel{235}{92} U$", "$\\underset{92}{235}\\mathrm{U}$"});
  expect_one({"$a=b$", "$a\\stackrel{\\text{设}}{=}b$"});
  EXPECT_EQ(signs_of_markup("$\\underset{x}{1}$"), "1 _ x");
}

TEST(FormulaReader, ALabelledArrowStays) {
  expect_one({"$2H_2+O_2=2H_2O$", "$2H_2+O_2\\xlongequal{\\text{点燃}}2H_2O$",
              "$2H_2+O_2\\xlongequal[\\text{高温}]{}2H_2O$", "$2H_2+O_2\\overset{点燃}{=}2H_2O$"});
  expect_one({"A→B", "$A\\xrightarrow{\\text{加热}}B$", "$A\\xrightarrow[\\text{高温}]{\\text{高压}}B$"});
  expect_one({"A⇌B", "A⇋B", "$A\\xrightleftharpoons{}B$"});
}

TEST(FormulaReader, BracesAfterAFunctionAreNotWritten) {
  expect_one({"$\\sin{x}+1$", "\\sin{x}+1", "sin{x}+1", "sinx+1"});
  expect_one({"$\\cos^2{A}$", "cos^2{A}"});
  EXPECT_EQ(text_of("p{X=k}"), "p{X=k}");
}

TEST(FormulaReader, AScriptEndsWhereItEnds) {
  EXPECT_EQ(signs_of_markup("$x^{2}3$"), "x ^ 2 3");
  EXPECT_EQ(signs_of_markup("$x^{23}$"), "x ^ 23");
  EXPECT_EQ(signs_of_markup("x<sup>2</sup>3"), "x ^ 2 3");
  EXPECT_EQ(signs_of_markup("$\\sqrt{2}3$"), "√ 2 3");
  EXPECT_EQ(signs_of_markup("$\\sqrt{2}.5$"), "√ 2 5");
}

TEST(FormulaReader, BlanksAndFacesAreNoScripts) {
  EXPECT_EQ(text_of("填空：____。"), "填空：____。");
  EXPECT_EQ(text_of("^_^"), "^_^");
  EXPECT_EQ(text_of("a _ b"), "a _ b");
}

TEST(FormulaReader, DegreesAndPrimes) {
  expect_one({"30°", "$30^\\circ$", "$30^{\\circ}$", "30<sup>°</sup>", "$30^{\\text{∘}}$"});
  expect_one({"25℃", "$25^{\\circ} \\mathrm{C}$", "$25^{\\circ C}$"});
  expect_one({"f′(x)", "$f'(x)$", "$f^{\\prime}(x)$", "\\(f^\\prime(x)\\)"});
  expect_one({"f″(x)", "$f''(x)$", "$f^{\\prime\\prime}(x)$"});
  expect_one({"f′(x)", "f'(x)"});
  expect_one({"30°", "30º", "30˚"});
  EXPECT_EQ(text_of("it's the boys' $x$"), "it's the boys' x");
}

TEST(FormulaReader, FractionsAndRoots) {
  EXPECT_EQ(signs_of_markup("$\\frac{1}{2}$"), "( 1 / 2 )");
  expect_one({"½", "(1/2)", "$\\frac{1}{2}$", "$\\dfrac12$", "\\frac 1 2",
              "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"});
  expect_one({"((a+b)/2)", "$\\frac{a+b}{2}$", "$\\frac{a+b}2$",
              "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>"});
  EXPECT_EQ(signs_of_markup("$\\frac{\\sqrt{3}}{2}$"), "( ( √ 3 ) / 2 )");
  expect_one({"√2", "$\\sqrt2$", "$\\sqrt{2}$", "<math><msqrt><mn>2</mn></msqrt></math>"});
  expect_one({"√(a+b)", "$\\sqrt{a+b}$", "<math><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt></math>"});
  expect_one({"√[3](ab)", "$\\sqrt[3]{ab}$",
              "<math><mroot><mrow><mi>a</mi><mi>b</mi></mrow><mn>3</mn></mroot></math>"});
  EXPECT_EQ(signs_of_markup("a/b"), "a / b");
}

TEST(FormulaReader, CommandsAreTheirCharacters) {
  EXPECT_EQ(text_of("$3\\times4\\div2\\leqslant5$"), "3×4÷2≤5");
  EXPECT_EQ(text_of("\\angle A=\\alpha, \\sin x"), "∠ A=α, sin x");
  expect_one({"a≤b", "$a\\le b$", "$a \\leqslant b$", "a⩽b", "a≦b"});
  expect_one({"△ABC", "$\\triangle ABC$", "∆ABC", "ΔABC", "$\\Delta ABC$"});
  expect_one({"{1,2}", "$\\{1,2\\}$", "$\\left\\{ 1,2 \\right\\}$", "$\\left { 1,2 \\right }$"});
  EXPECT_EQ(signs_of_markup("$x\\ne1, a\\not=b, c\\not\\in D$"), signs_in("x≠1 a≠b c∉D"));
  expect_one({"$\\overrightarrow{AB}$", "$\\vec{AB}$",
              "<math><mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover></math>"});
  EXPECT_NE(signs_of_markup("$\\bar z$"), signs_of_markup("$z$"));
  expect_one({"①", "$\\textcircled{1}$"});
  expect_one({"$\\frac{1}{2}\\pi$", "$$\\\\frac{1}{2}\\\\pi$$"});
}

TEST(FormulaReader, TheBraceOfCasesIsNone) {
  expect_one({"$f(x)=\\begin{cases}x+1, & x<0 \\\\ 2^x, & x>0\\end{cases}$",
              "$f(x)=\\left\\{\\begin{array}{ll}x+1, & x<0 \\\\ 2^{x}, & x>0\\end{array}\\right.$"});
  EXPECT_EQ(signs_of_markup("$\\begin{array}{*{3}{l}}1&2\\\\[2pt]3&4\\end{array}$"), "1 2 3 4");
}

TEST(FormulaReader, MarksWhereCellsOfAMatrixEnd) {
  const std::string cells = "1\u2063 2\u2064\n3\u2063 4";
  EXPECT_THAT(text_of("$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$"), testing::HasSubstr(cells));
  EXPECT_THAT(text_of("<math><mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr>"),
              testing::HasSubstr(cells));
  EXPECT_EQ(text_of("<table><tr><td>a<td><math><mtable><mtr><mtd>1<mtr><mtd>2</mtable></math><td>b</table>"),
            "a\u2063\n1\u2064\n2\u2063 b");
  EXPECT_THAT(text_of("$\\begin{aligned}x&=1\\\\y&=2\\end{aligned}$"),
              testing::Not(testing::HasSubstr("\u2063")));
}

TEST(FormulaReader, ALabelBelongsToItsBase) {
  expect_one({"$\\overset{\\frown}{AB}$", "$\\wideparen{AB}$", "$\\stackrel{\\frown}{AB}$",
              "<math><mover><mi>AB</mi><mo>⌒</mo></mover></math>"});
  expect_one({"$\\vec{AB}$", "$\\overset{\\rightarrow}{AB}$", "$\\overset{\\to }{\\mathop{AB}}\\,$"});
  expect_one({"$\\bar x$", "$\\overset{-}{x}$", "$\\overset{-}{\\mathop{x}}\\,$"});
  expect_one({"$0.\\dot{3}$", "$0.\\overset{\\cdot}{3}$", "$0.\\overset{\\bullet }{\\mathop{3}}\\,$"});
  expect_one(
      {"$\\lim_{x\\to 0}f(x)$", "$\\underset{x\\to 0}{\\lim}f(x)$",
       "$\\underset{x\\to 0}{\\mathop{\\lim }}\\,f(x)$",
       "<math><munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f(x)</mi></math>"});
  EXPECT_EQ(signs_of_markup("$3\\underset{a}{1}2$"), "3 1 _ a 2");
  EXPECT_EQ(signs_of_markup("$\\overset{A}{B}$"), "B ^ A");
  EXPECT_EQ(signs_of_markup("$X\\xrightarrow[A]{B}Y$"), "X → _ A ^ B Y");
}

TEST(FormulaReader, AnInfixSplitsItsGroup) {
  expect_one({"$\\frac{x+1}{2}-3$", "${x+1\\over 2}-3$"});
  expect_one({"$x+\\frac12-3$", "$x+{1\\over 2}-3$"});
  expect_one({"$\\frac{1}{x+1}$", "${1\\over x+1}$", "$1\\over x+1$", "$$1 \\over {x+1}$$"});
  expect_one({"$\\frac{a}{\\frac{b}{c}}$", "${a\\over {b\\over c}}$"});
  expect_one({"$x^{\\frac12}y$", "$x^{1\\over 2}y$"});
  expect_one({"$\\left(\\frac{a}{b}\\right)c$", "$\\left(a\\over b\\right)c$"});
  expect_one({"$\\sqrt{\\frac{a+b}{c}}$", "$\\sqrt{a+b\\over c}$"});
  expect_one({"$\\binom{n}{k}$", "${n\\choose k}$", "${n\\atop k}$", "$\\genfrac{}{}{0pt}{}{n}{k}$",
              "$\\genfrac{(}{)}{0pt}{}{n}{k}$"});
  expect_one({"$\\frac12+8$", "$\\genfrac{}{}{}{}{1}{2}+8$"});
  for (const std::string beyond :
       {"1\\over 2", "$\\begin{array}{l}1\\over 2\\end{array}$", "$1\\over 2\\over 3$"}) {
    EXPECT_NE(signs_of_markup(beyond).find("∖ o"), std::string::npos) << beyond << signs_of_markup(beyond);
  }
}

TEST(FormulaReader, WhatIsEnclosedIsANumberOfItsOwn) {
  EXPECT_EQ(signs_of_markup("$\\boxed{2}3$"), "2 3");
  EXPECT_EQ(text_of("$\\cancel{2}3$"), "2\u0336 3");
  expect_one({"$3\\boxed{}2$", "$3□2$"});
  EXPECT_EQ(signs_of_markup("<math><mroot><mn>8</mn><mn>3</mn></mroot><mn>2</mn></math>"), "√ [ 3 ] 8 2");
  EXPECT_EQ(signs_of_markup("<math><mover><mn>2</mn><mo>˙</mo></mover><mn>3</mn></math>"), "ˑ 2 3");
}

TEST(FormulaReader, WhatACommandSaysIsSeen) {
  for (const char* const relation :
       {"succ", "prec", "ngeqslant", "nleq", "doteq", "simeq", "boxplus", "dotplus", "intercal", "longdiv",
        "frown", "setminus", "backslash", "vdots", "nosuchrelation"}) {
    const std::string with = std::string("$6\\") + relation + " 3$";
    EXPECT_NE(signs_of_markup(with), signs_of_markup("$6 3$")) << with;
    EXPECT_NE(signs_of_markup(with), signs_of_markup("$63$")) << with;
  }
  EXPECT_NE(signs_of_markup("$a\\succ b$"), signs_of_markup("$a\\prec b$"));
  EXPECT_NE(signs_of_markup("$a\\nosuchrelation b$"), signs_of_markup("$a\\otherrelation b$"));
  expect_one({"$A\\setminus B$", "A\\B", "A∖B"});
  EXPECT_NE(signs_of_markup("3\\2"), "32");
  for (const char* const escaped : {"3\\/4", "3\\-4", "3\\:2", "3\\;2", "5\\!", "$3\\/4$"}) {
    std::string meant = escaped;
    std::erase_if(meant, [](char c) { return c == '\\' || c == '$'; });
    EXPECT_EQ(text_of(escaped), meant);
  }
  EXPECT_EQ(text_of("80-\\/-90"), "80--90");
}

TEST(FormulaReader, EscapesInLatexWithoutDollarsAreSpaces) {
  for (const std::string latex :
       {"5\\:\\mathrm{cm}", "\\int_0^1\\!f(x)\\,dx", "\\vec{a}\\!\\cdot\\!\\vec{b}", "\\alpha\\:\\beta"})
    expect_one({latex, "$" + latex + "$"});
  EXPECT_EQ(text_of("5\\:m"), "5:m");
  EXPECT_EQ(signs_of_markup("\\(3\\;12\\)"), "3 12");
}

TEST(FormulaReader, ABaseOfALogarithmIsOneDigitOrTen) {
  EXPECT_EQ(text_of("$\\log_23$"), text_of("$\\log_{2}3$"));
  EXPECT_EQ(text_of("$\\log_10 x$"), text_of("$\\log_{10} x$"));
  EXPECT_EQ(text_of("$x_10$"), text_of("$x_{10}$"));
}

TEST(FormulaReader, MatricesKeepTheirBrackets) {
  const std::string cells = "1&2\\\\3&4";
  const auto left = [&](const std::string& open, const std::string& close) {
    return "$\\left" + open + "\\begin{array}{ll}" + cells + "\\end{array}\\right" + close + "$";
  };
  const auto matrix = [&](const std::string& name) {
    return "$\\begin{" + name + "}" + cells + "\\end{" + name + "}$";
  };
  EXPECT_EQ(signs_of_markup(matrix("pmatrix")), signs_of_markup(left("(", ")")));
  EXPECT_EQ(signs_of_markup(matrix("bmatrix")), signs_of_markup(left("[", "]")));
  EXPECT_EQ(signs_of_markup(matrix("vmatrix")), signs_of_markup(left("|", "|")));
  EXPECT_EQ(signs_of_markup(matrix("vmatrix")),
            signs_of_markup("$\\begin{array}{|cc|}" + cells + "\\end{array}$"));
  for (const std::string begin : {"\\begin{array}{|c|c|}", "\\begin{array}{|cc|}\n\\hline ",
                                  "\\begin{array}{|p{3cm}|}", "\\begin{tabular}{|cc|}"}) {
    const std::string end =
        begin.substr(1, begin.find('{')).replace(0, 5, "\\end") + begin.substr(7, begin.find('}') - 6);
    EXPECT_EQ(text_of(begin + cells + end).find('|'), std::string::npos) << begin;
  }
  EXPECT_NE(text_of(matrix("Vmatrix")).find("‖1"), std::string::npos);
  EXPECT_NE(text_of(matrix("Vmatrix")).find("4‖"), std::string::npos);
}

TEST(FormulaReader, WhiteSpacePartsNumbers) {
  for (const char* const space : {"\\;", "\\:", "\\,", "\\hspace{1em}", "\\hspace*{1em}", "\\mspace{5mu}",
                                  "\\phantom{0}", "\\hphantom{\\sqrt{2}}", "\\quad"}) {
    EXPECT_EQ(signs_of_markup("$3" + std::string(space) + "12$"), "3 12") << space;
  }
  expect_one({"$3120$", "$3\\,120$", "$3\\!120$", "$3\\color{red}120$"});
  EXPECT_EQ(signs_of_markup("$3\\,1205$"), "3 1205");
}

TEST(FormulaReader, AnUnderlineStandsBehindWhatItIsUnder) {
  EXPECT_EQ(text_of("$\\underline{c}at$"), "c\u0332at");
  EXPECT_EQ(text_of("$c\\uline{a}t$"), text_of("c<u>a</u>t"));
  EXPECT_EQ(text_of("\\dotuline{走}马"), "走\u20E8马");
  EXPECT_EQ(text_of("\\uwave{走}\\dashuline{马}\\uuline{}"), "走\u0332\u033C马\u0332\u0320____");
  for (const char* const blank : {"\\underline{\\hspace{2cm}}", "\\underline{\\qquad}", "\\underline{　　}",
                                  "\\uline{~~~}", "\\underline{\\_\\_}"}) {
    EXPECT_EQ(text_of(blank).find("\u0332"), std::string::npos) << blank;
    EXPECT_NE(text_of(blank).find("____"), std::string::npos) << blank;
  }
  EXPECT_EQ(text_of("$3\\underline{ A }B$"), "3 A\u0332 B");
}

TEST(FormulaReader, UnknownCommandsAreCounted) {
  const Extracted read = extracted("$\\foo{a}{b}\\foo c$ \\bar{x}");
  EXPECT_EQ(read.text, "∖fooa(b)∖foo c ˉx");
  EXPECT_EQ(read.unknown, (std::map<std::string, std::uint64_t>{{"\\foo", 2}}));
  EXPECT_EQ(text_of("\\color{red}红\\hspace{2cm}x"), "红x");
}

TEST(FormulaReader, MoneyStays) {
  EXPECT_EQ(text_of("花了$5，还剩$3"), "花了$5，还剩$3");
  EXPECT_EQ(text_of("$5 and $10"), "$5 and $10");
  EXPECT_EQ(text_of("花了$5，求$x^2$"), "花了$5，求x^2");
  EXPECT_EQ(text_of("$$$12$$元"), "$12元");
  EXPECT_EQ(text_of("\\$5"), "$5");
  EXPECT_EQ(text_of("H$\\to$2H"), "H→2H");
}

TEST(FormulaReader, BracesOutsideOfFormulasStay) {
  EXPECT_EQ(text_of("{间}隔"), "{间}隔");
  EXPECT_EQ(text_of("A={1,2}, x_{1}"), "A={1,2}, x\uE0001");
}

TEST(FormulaReader, TildesAreSpacesBesideSpaces) {
  EXPECT_EQ(signs_of_markup("$$3$$（~ ~）．\\uline{~~~}"), "3");
  EXPECT_EQ(signs_of_markup("3~5天"), "3 ~ 5");
}

TEST(FormulaReader, DepthCostsNoStack) {
  constexpr int depth = sampled(300'000);
  for (const std::string piece : {"{", "$x^{", "\\frac{", "\\sqrt[", "\\left(", "\\begin{array}{l}", "\\vec{",
                                  "^", "\\frac", "$$", "\\("}) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += piece;
    EXPECT_FALSE(text_of(text).empty() && piece != "\\begin{array}{l}" && piece != "$$" && piece != "\\(")
        << piece;
  }
}

}  // namespace
}  // namespace qdedup::markup
