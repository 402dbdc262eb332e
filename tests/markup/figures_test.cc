#include "markup/figures.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(Figures, AreNamedByTheirFile) {
  EXPECT_EQ(figure_at("https://a.b/c/fig-1.png?w=3").name, "fig-1");
  EXPECT_EQ(figure_at("fig-1.png").kind, Figure::Kind::file);
  EXPECT_EQ(figure_at("/x/0123456789abcdef.jpg").kind, Figure::Kind::content);
  EXPECT_EQ(figure_at("data:image/png;base64,AAAA").kind, Figure::Kind::content);
  EXPECT_EQ(figure_at("").kind, Figure::Kind::unnamed);
  EXPECT_NE(figure_at("/img.php?id=1").name, figure_at("/img.php?id=2").name);
  EXPECT_NE(text_of("听<audio src=\"1.mp3\"></audio>"), text_of("听<audio src=\"2.mp3\"></audio>"));
}

TEST(Figures, WithANameThatManyHaveAreNamedByTheirFolder) {
  EXPECT_NE(figure_at("1.files/image002.gif").name, figure_at("2.files/image002.gif").name);
  EXPECT_NE(figure_at("/q/17/5.png").name, figure_at("/q/18/5.png").name);
  EXPECT_EQ(figure_at("http://a/q/17/5.png?v=1").name, figure_at("/q/17/5.png").name);
  EXPECT_EQ(figure_at("image002.gif").name, "image002");
  EXPECT_EQ(figure_at("/x/20190412.png").name, "20190412");
  EXPECT_EQ(figure_at("/x/blank.gif").kind, Figure::Kind::unnamed);
  EXPECT_NE(text_of("<img src=\"blank.gif\" data-src=\"/u/8a01.png\">"),
            text_of("<img src=\"blank.gif\" data-src=\"/u/77f3.png\">"));
  EXPECT_NE(figure_at("/showimage?formula=1a2b").name, figure_at("/showimage?formula=9c8d").name);
}

TEST(Figures, AFormulaInAnAttributeOrAddressIsRead) {
  for (const char* const written :
       {"<span data-w-e-type=\"formula\" data-w-e-is-void data-value=\"x^2\"></span>",
        "<span class=\"ql-formula\" data-value=\"x^2\">x2</span>", "<span data-formula=\"x^2\">x2</span>",
        "<img data-math=\"x^2\" src=\"a.png\">",
        "<span class=\"mathquill-embedded-latex\" latex=\"x^2\">x2</span>",
        "<img class=\"Wirisformula\" data-mathml=\"«math»«msup»«mi»x«/mi»«mn»2«/mn»«/msup»«/math»\" "
        "src=\"a.png\">",
        "<span "
        "data-mathml=\"&lt;math&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/"
        "math&gt;\">x2</span>",
        "<img src=\"equation?tex=x%5E2\">", "<img src=\"/f?formula=x%5E2&amp;w=3\">",
        "<img "
        "src=\"/MathMLToImage?mml=%3Cmath%3E%3Cmsup%3E%3Cmi%3Ex%3C/mi%3E%3Cmn%3E2%3C/mn%3E%3C/msup%3E%3C/"
        "math%3E\">"}) {
    EXPECT_EQ(signs_of_markup(written), "x ^ 2") << written;
  }
  EXPECT_EQ(signs_of_markup("<li data-value=\"3\">5</li><span data-math=\"inline\">7</span>"), "5 7");
}

TEST(Figures, AreBehindAllElseAndSorted) {
  const std::string one = text_of("如图<img src=\"a.png\">求<img src=\"b.png\">面积");
  EXPECT_EQ(one, text_of("如图求<img src=\"x/b.jpg\">面积<img src=\"/y/a.gif\">"));
  EXPECT_EQ(one, text_of("如图求面积![](b.png)![甲](http://z/a.png)"));
  EXPECT_NE(one, text_of("如图求面积<img src=\"a.png\">"));
  EXPECT_NE(one, text_of("如图求面积<img src=\"a.png\"><img src=\"c.png\">"));
  EXPECT_EQ(text_of("[图片]求面积"), text_of("求【图】面积"));
  EXPECT_NE(signs_of_markup("[图片]求面积"), signs_of_markup("求面积"));
}

TEST(Figures, AreNamedByTheBanksHashes) {
  const Options options{.markup = Reading::automatic};
  const std::vector<std::string> images = {"h1", "h2"};
  const Extracted named = extract("求<img src=\"a.png\">[图]", options, images);
  EXPECT_EQ(named.text, extract("求[图]<img src=\"b.png\">", options, images).text);
  EXPECT_EQ(named.figures[0].name, "h1");
  EXPECT_EQ(named.figures[1].kind, Figure::Kind::content);
  EXPECT_EQ(extract("求", options, images).figures.size(), 2U);
}

TEST(Figures, FormulasStayInPlace) {
  const std::string a = "<img class=\"formula\" src=\"a.png\">";
  const std::string b = "<img class=\"formula\" src=\"b.png\">";
  EXPECT_NE(signs_of_markup(a + "+" + b), signs_of_markup(b + "+" + a));
  EXPECT_EQ(extracted(a).figures.size(), 1U);
}

}  // namespace
}  // namespace qdedup::markup
