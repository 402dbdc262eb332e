#include "markup/display.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

// The pieces as tags: "<msup><mi>x</mi>…".
std::string tags_of(const Display& display) {
  std::string tags;
  std::vector<std::string> open;
  for (const Piece& piece : display.pieces) {
    const std::string name(markup::name(piece.kind));
    const std::string shown =
        refine::to_utf8(std::u32string_view(display.text).substr(piece.begin, piece.end - piece.begin));
    if (piece.kind == Piece::Kind::end) {
      tags += "</" + open.back() + ">";
      open.pop_back();
    } else if (piece.kind == Piece::Kind::text) {
      tags += shown;
    } else if (piece.kind == Piece::Kind::figure) {
      tags += "[" + display.figures[piece.figure].name + "]";
    } else if (piece.is_shown()) {
      tags.append("<").append(name).append(">").append(shown).append("</").append(name).append(">");
    } else {
      open.push_back(name);
      tags += "<" + name + ">";
    }
  }
  EXPECT_TRUE(open.empty());
  return tags;
}

std::string drawn(std::string_view text, const std::vector<std::string>& images = {}) {
  return tags_of(draw(text, images));
}

// What is within a formula that is all of the text.
std::string formula(const std::string& latex) {
  const std::string tags = drawn("$" + latex + "$");
  EXPECT_TRUE(tags.starts_with("<math>") && tags.ends_with("</math>")) << tags;
  return tags.substr(6, tags.size() - 13);
}

TEST(Display, PlainTextIsOnePiece) {
  EXPECT_EQ(drawn("1+1=?"), "1+1=?");
  EXPECT_FALSE(draw("1+1=?").has_structure());
  EXPECT_EQ(drawn(""), "");
}

TEST(Display, TokensOfFormulas) {
  EXPECT_EQ(formula("2x + 3.5 \\geq y"), "<mn>2</mn><mi>x</mi><mo>+</mo><mn>3.5</mn><mo>≥</mo><mi>y</mi>");
  EXPECT_EQ(formula("\\sin x"), "<mtext>sin</mtext><mi>x</mi>");
  EXPECT_EQ(formula("5\\mathrm{cm}"), "<mn>5</mn><mtext>cm</mtext>");
  EXPECT_EQ(formula("\\text{若}x"), "<mtext>若</mtext><mi>x</mi>");
  EXPECT_EQ(formula("a \\not= b"), "<mi>a</mi><mo>=\u0338</mo><mi>b</mi>");
}

TEST(Display, ScriptsBelongToWhatStandsBefore) {
  EXPECT_EQ(formula("ax^2"), "<mi>a</mi><msup><mi>x</mi><mrow><mn>2</mn></mrow></msup>");
  EXPECT_EQ(formula("10^{n+1}"), "<msup><mn>10</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>");
  EXPECT_EQ(formula("a_1^2"), "<msubsup><mi>a</mi><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></msubsup>");
  EXPECT_EQ(formula("^2"), "<msup><mrow></mrow><mrow><mn>2</mn></mrow></msup>");
  EXPECT_EQ(drawn("x<sup>2</sup>, H₂O, y^10"), "x<sup>2</sup>, H<sub>2</sub>O, y<sup>10</sup>");
  EXPECT_EQ(formula("30^\\circ"), "<mn>30</mn><mo>°</mo>");
}

TEST(Display, ScriptsInEitherOrderAreDrawnAlike) {
  EXPECT_EQ(formula("x^2_1+y"), formula("x_1^2+y"));
  EXPECT_EQ(formula("x^{\\frac{a}{2}}_{i+1}"), formula("x_{i+1}^{\\frac{a}{2}}"));
  EXPECT_EQ(formula("\\underset{0}{1}n"), formula("_0^1n"));
}

TEST(Display, FractionsAndRoots) {
  EXPECT_EQ(formula("\\frac{a+b}{2}"),
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn></mrow></mfrac>");
  EXPECT_EQ(drawn("是\\frac12吗"),
            "是<math><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></math>吗");
  EXPECT_EQ(drawn("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"),
            "<math><mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac></math>");
  EXPECT_EQ(formula("\\sqrt{x}"), "<msqrt><mi>x</mi></msqrt>");
  const std::string third = "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>";
  EXPECT_EQ(formula("\\sqrt[3]{x}"), third);
  EXPECT_EQ(drawn("<math><mroot><mi>x</mi><mn>3</mn></mroot></math>"), "<math>" + third + "</math>");
  EXPECT_EQ(formula("\\sqrt{}"), "<msqrt></msqrt>");
  EXPECT_EQ(
      formula("\\binom nk"),
      "<mrow><mo>(</mo><mtable><mtr><mtd><mi>n</mi></mtd></mtr><mtr><mtd><mi>k</mi></mtd></mtr></mtable>"
      "<mo>)</mo></mrow>");
}

TEST(Display, AccentsStandOver) {
  EXPECT_EQ(formula("\\vec{AB}"), "<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>");
  EXPECT_EQ(formula("\\dot a"), "<mover><mrow><mi>a</mi></mrow><mo>˙</mo></mover>");
  EXPECT_EQ(drawn("<math><mover><mi>a</mi><mo>→</mo></mover></math>"),
            "<math><mover><mrow><mi>a</mi></mrow><mo>→</mo></mover></math>");
}

TEST(Display, EnvironmentsAreTablesWithTheirBrackets) {
  EXPECT_EQ(
      formula("\\begin{cases}x&1\\\\y\\end{cases}"),
      "<mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mi>y</mi></mtd>"
      "</mtr></mtable>");
  EXPECT_EQ(formula("\\begin{vmatrix}1\\\\ \\end{vmatrix}"),
            "<mo>|</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable><mo>|</mo>");
  EXPECT_EQ(formula("\\left\\{\\begin{array}{l}1\\end{array}\\right."),
            "<mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable>");
}

TEST(Display, TablesStayTables) {
  EXPECT_EQ(drawn("<p>如表</p><table><tr><th>数</th><td>$x$</td></tr><tr><td></td></tr></table><p>求</p>"),
            "如表<table><tr><td>数</td><td><math><mi>x</mi></math></td></tr><tr><td></td></tr></table>求");
  EXPECT_EQ(drawn("<table><caption>名</caption><tr><td>1</table>"),
            "<table><tr><td>名\n</td></tr><tr><td>1</td></tr></table>");
}

TEST(Display, TablesThatDrawAFormulaAreFormulas) {
  const std::string fraction =
      "<table class=\"MathJye\"><tr><td style=\"border-bottom:1px "
      "solid\">1</td></tr><tr><td>2</td></tr></table>";
  const std::string drawing = "<math><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></math>";
  EXPECT_EQ(drawn(fraction), drawing);
  EXPECT_EQ(drawn("<table><tr><td style=\"border-bottom:1px solid\">1</td></tr><tr><td>2</td></tr></table>"),
            drawing);
}

TEST(Display, FiguresStandWhereTheyAre) {
  EXPECT_EQ(drawn("甲<img src=\"/a/cone1.png\">乙[图]"), "甲[cone1]乙[]");
  EXPECT_EQ(drawn("甲[图]乙", {"hash", "more"}), "甲[hash]乙[more]");
  EXPECT_EQ(drawn("$x$<img class=\"formula\" src=\"f.png\">"), "<math><mi>x</mi></math>[f]");
}

TEST(Display, NoElementComesFromTheText) {
  const std::string drawing = drawn(
      "<script>alert(1)</script>甲<img src=x onerror=alert(1)><math href=\"javascript:alert(1)\"><mi>x</mi>"
      "<annotation-xml encoding=\"text/html\"><img src=y onerror=alert(1)></annotation-xml></math>"
      "<a href=\"javascript:alert(1)\">乙</a>&lt;img src=z&gt;$\\href{javascript:alert(1)}{丙}$");
  EXPECT_EQ(drawing.substr(0, drawing.find("<math>")), "甲[x]x乙<img src=z>");  // the last as a text
  EXPECT_TRUE(drawing.ends_with("<mo>(</mo><mtext>丙</mtext><mo>)</mo></math>")) << drawing;
}

TEST(Display, WhatIsTooDeepIsShownAsItIsCompared) {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "\\frac{1}{";
  deep += "x" + std::string(200, '}');
  const Display display = draw("$" + deep + "$");
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const Piece& piece : display.pieces) {
    if (piece.kind == Piece::Kind::end) {
      --depth;
    } else if (!piece.is_shown()) {
      deepest = std::max(deepest, ++depth);
    }
  }
  EXPECT_GT(deepest, 10U);
  EXPECT_LT(deepest, 3 * max_drawn_depth);
  const Display chain = draw("$x" + [] {
    std::string scripts;
    for (int i = 0; i < 5'000; ++i) scripts += "^1_1";
    return scripts;
  }() + "$");
  EXPECT_LT(chain.pieces.size(), 100'000U);
}

TEST(Display, LongTextsAreNotDrawn) {
  EXPECT_TRUE(draw(std::string(max_drawn_bytes + 1, '1')).pieces.empty());
  EXPECT_FALSE(draw("<p>1<!--" + std::string(max_drawn_bytes, 'x') + "--></p>").pieces.empty());
}

// The marks as "shown:kinds", by the display of `text`.
std::string carried(const std::string& text, const std::vector<refine::Mark>& marks) {
  const Display display = draw(text);
  std::string all;
  for (const refine::Mark& mark : marks_on(display, places_in(display, text_of(text)), marks)) {
    all += refine::to_utf8(std::u32string_view(display.text).substr(mark.begin, mark.end - mark.begin)) +
           ":" + std::to_string(mark.kinds) + " ";
  }
  return all;
}

TEST(Display, MarksGoWithTheirCharacters) {
  // 若(1/2) x^2
  EXPECT_EQ(carried("<p>若$\\frac{1}{2}  x^2$</p>", {{1, 2, 3}, {2, 3, 1}, {8, 9, 1}}), "(:3 1:1 ^:1 ");
  // 求(-3,2)
  EXPECT_EQ(carried("求(-3, 2)", {{4, 6, 1}}), ",:1 2:1 ");
}

TEST(Display, MarksOfTheSignsOfAFigureAreTheFigures) {
  const std::string text = "甲<img src=b.png>乙[图]";
  const std::string extracted = text_of(text);
  const Display display = draw(text);
  const auto places = places_in(display, extracted);
  const std::size_t last = refine::to_utf32(extracted).size() - 2;
  const auto marks = marks_on(display, places, {{last, last + 1, 1}});
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(marks[0], (refine::Mark{3, 4, 1}));
}

TEST(Display, FiguresThatStandElsewhereAreMarkedAndNoWords) {
  const std::string a = "<img src=a.png>";
  const std::string b = "<img src=b.png>";
  const std::array<std::string, 3> texts = {"已知" + a + "甲乙丙" + b + "求",
                                            "已知" + b + "甲乙丙" + a + "求", "已知甲乙丙" + a + b + "求"};
  for (const auto& [question, keeper, marked] :
       {std::tuple{0U, 1U, 2}, std::tuple{0U, 2U, 1}, std::tuple{2U, 0U, 1}}) {
    const refine::PairMarks marks = refine::mark_pair(text_of(texts.at(question)), text_of(texts.at(keeper)));
    const Display display = draw(texts.at(question));
    const auto shown = marks_on(display, places_in(display, text_of(texts.at(question))), marks.question);
    EXPECT_EQ(std::ranges::count_if(shown, [](auto mark) { return (mark.kinds & refine::differs) != 0; }),
              marked);
    for (const refine::Mark& mark : shown) {
      EXPECT_EQ(mark.end - mark.begin, 1U);
      EXPECT_TRUE(std::ranges::any_of(display.pieces, [&mark](const Piece& piece) {
        return piece.kind == Piece::Kind::figure && piece.begin == mark.begin;
      }));
    }
  }
}

}  // namespace
}  // namespace qdedup::markup
