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
