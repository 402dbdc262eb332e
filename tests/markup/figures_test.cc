#include "markup/figures.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(Figures, AreNamedByTheirFile) {
  EXPECT_EQ(figure_at("https://a.b/c/cone-1.png?w=3").name, "cone-1");
  EXPECT_EQ(figure_at("cone-1.png").kind, Figure::Kind::file);
  EXPECT_EQ(figure_at("/x/0123456789abcdef.jpg").kind, Figure::Kind::content);
  EXPECT_EQ(figure_at("data:image/png;base64," + std::string(400, 'A')).kind, Figure::Kind::content);
  EXPECT_EQ(figure_at("data:image/png;base64,AAAA").kind, Figure::Kind::file);
  EXPECT_EQ(figure_at("").kind, Figure::Kind::unnamed);
  EXPECT_NE(figure_at("/img.php?id=1").name, figure_at("/img.php?id=2").name);
  EXPECT_NE(text_of("听<audio src=\"1.mp3\"></audio>"), text_of("听<audio src=\"2.mp3\"></audio>"));
}

TEST(Figures, WithANameThatManyHaveAreNamedByTheirFolder) {
  EXPECT_NE(figure_at("1.files/image002.gif").name, figure_at("2.files/image002.gif").name);
  EXPECT_NE(figure_at("/q/17/5.png").name, figure_at("/q/18/5.png").name);
  EXPECT_EQ(figure_at("http://a/q/17/5.png?v=1").name, figure_at("/q/17/5.png").name);
  EXPECT_NE(figure_at("/upload/2019/05/1.png").name, figure_at("/upload/2020/05/1.png").name);
  EXPECT_EQ(figure_at("/upload/2019/05/1.png").name, figure_at("../upload/2019/05/1.png").name);
  EXPECT_NE(figure_at("/q/10001/stem/1.png").name, figure_at("/q/10002/stem/1.png").name);
  EXPECT_EQ(figure_at("image002.gif").name, "image002");
  EXPECT_EQ(figure_at("/x/20190412.png").name, "20190412");
  EXPECT_EQ(figure_at("/x/blank.gif").kind, Figure::Kind::unnamed);
  EXPECT_NE(text_of("<img src=\"blank.gif\" data-src=\"/u/8a01.png\">"),
            text_of("<img src=\"blank.gif\" data-src=\"/u/77f3.png\">"));
  EXPECT_NE(figure_at("/showimage?formula=1a2b").name, figure_at("/showimage?formula=9c8d").name);
}

TEST(Figures, AreNamedByTheFirstFolderThatTellsSomething) {
  for (const std::string name : {"images/1.png", "fig1.png", "figure3.png", "q1.png", "a.png", "截图1.png",
                                 "question.png", "5题图.png", "picture(2).png"})
    EXPECT_NE(figure_at("/2019/hebei/" + name).name, figure_at("/2020/henan/" + name).name) << name;
  EXPECT_TRUE(figure_at("media/image1.png").is_vague);
  EXPECT_TRUE(figure_at("image1.png").is_vague);
  EXPECT_FALSE(figure_at("/hebei/media/image1.png").is_vague);
  EXPECT_FALSE(figure_at("/main/image1.png").is_vague);
  for (const std::string folder :
       {"./media/", "/", "../images/", "file:///C:/Temp/msohtmlclip1/01/", "/17/media/", "media\\", "a/"})
    EXPECT_TRUE(figure_at(folder + "image1.wmf").is_vague) << folder;
  for (const std::string address : {"/showpic.html?id=", "/get.png?id=", "/image.axd?picture="})
    EXPECT_NE(figure_at(address + "3").name, figure_at(address + "5").name) << address;
}

TEST(Figures, ThatAreLoadedLateAreNamedByTheirAddress) {
  const std::string pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const std::string drawing = "data:image/svg+xml;utf8,&lt;svg width='9'&gt;&lt;/svg&gt;";
  for (const std::string& place : {pixel, drawing, std::string("/s.gif")}) {
    for (const std::string attribute :
         {"data-lazy-src", "data-actualsrc", "data-lazyload", "data-lazy", "data-url", "data-echo",
          "data-srcset", "file", "_src", "data-original-src", "data-real-src"}) {
      EXPECT_EQ(text_of("<img src=\"" + place + "\" " + attribute + "=\"/u/cone7.png\">"),
                text_of("<img src=\"/u/cone7.png\">"))
          << place << ' ' << attribute;
    }
  }
  EXPECT_EQ(text_of("<img src=\"" + pixel + "\">"), text_of("[图]"));
  EXPECT_EQ(text_of("<img src=\"" + pixel + "\" srcset=\"cone7.png 1x, cone8.png 2x\">"),
            text_of("<img src=\"cone7.png\">"));
  for (const std::string name : {"src", "data-src", "data-lazy-src", "data-lazyload"})
    EXPECT_NE(text_of("<img " + name + "=\"图 1.png\">"), text_of("<img " + name + "=\"图 2.png\">")) << name;
  EXPECT_EQ(text_of("<img src=\"cone7.png\" srcset=\"cone8.png 2x\" data-lazyload=\"1\">"),
            text_of("<img src=\"cone7.png\">"));
  for (const std::string other :
       {"data-src-width=\"300.5\"", "data-src-ratio=\"16/9\"", "data-original-title=\"见图1.\"",
        "data-original-title=\"a/b\"", "data-filename=\"image.png\"", "alt=\"高/底\""})
    EXPECT_EQ(text_of("<img src=\"cone7.png\" " + other + ">"), text_of("<img src=\"cone7.png\">")) << other;
  EXPECT_EQ(text_of("<img src=\"/s.gif\" data-big=\"/u/cone7.png\">"), text_of("<img src=\"cone7.png\">"));
  for (const std::string element : {"audio", "video"})
    EXPECT_EQ(text_of("<" + element + "><source src=\"cone7.mp4\"></" + element + ">"),
              text_of("<" + element + " src=\"cone7.mp4\"></" + element + ">"));
  EXPECT_EQ(text_of("<picture><source srcset=\"cone7.webp\"><img></picture><img>"),
            text_of("<img src=\"cone7.webp\"><img>"));
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
        "<img src=\"https://math.now.sh?from=x%5E2\">", "<img src=\"https://i.upmath.me/svg/x%5E2\">",
        "<img src=\"equation?tex=x%5E2\">", "<img src=\"/f?formula=x%5E2&amp;w=3\">",
        "<img "
        "src=\"/MathMLToImage?mml=%3Cmath%3E%3Cmsup%3E%3Cmi%3Ex%3C/mi%3E%3Cmn%3E2%3C/mn%3E%3C/msup%3E%3C/"
        "math%3E\">"}) {
    EXPECT_EQ(signs_of_markup(written), "x ^ 2") << written;
  }
  EXPECT_EQ(signs_of_markup("<li data-value=\"3\">5</li><span data-math=\"inline\">7</span>"), "5 7");
}

TEST(Figures, AreBehindAllElseAndSorted) {
  const std::string one = signs_of_markup("如图<img src=\"cone.png\">求<img src=\"cube.png\">面积");
  EXPECT_EQ(one, signs_of_markup("如图求<img src=\"x/cube.jpg\">面积<img src=\"/y/cone.gif\">"));
  EXPECT_EQ(one, signs_of_markup("如图求面积![](cube.png)![甲](http://z/cone.png)"));
  EXPECT_NE(one, signs_of_markup("如图求面积<img src=\"cone.png\">"));
  EXPECT_NE(one, signs_of_markup("如图求面积<img src=\"cone.png\"><img src=\"c.png\">"));
  EXPECT_EQ(signs_of_markup("[图片]求面积"), signs_of_markup("求【图】面积"));
  EXPECT_NE(signs_of_markup("[图片]求面积"), signs_of_markup("求面积"));
}

TEST(Figures, AreNamedByTheBanksHashes) {
  const Options options{.markup = Reading::automatic};
  const std::vector<std::string> images = {"h1", "h2"};
  const Extracted named = extract("求<img src=\"a.png\">[图]", options, images);
  EXPECT_EQ(named.text, extract("求[图]<img src=\"b.png\">", options, images).text);
  EXPECT_EQ(named.text, extract("求", options, images).text);
  EXPECT_EQ(named.figures[0].name, "h1");
  EXPECT_EQ(named.figures[1].kind, Figure::Kind::content);
  EXPECT_EQ(extract("求", options, images).figures.size(), 2U);
}

TEST(Figures, FormulasStayInPlace) {
  const std::string a = "<img class=\"formula\" src=\"a.png\">";
  const std::string b = "<img class=\"formula\" src=\"b.png\">";
  EXPECT_NE(signs_of_markup(a + "+" + b), signs_of_markup(b + "+" + a));
  for (const std::string classes : {"mathImg", "my-formula", "LaTeX"})
    EXPECT_TRUE(extracted("<img class=\"" + classes + "\" src=\"a.png\">").figures[0].in_place) << classes;
  for (const std::string classes : {"text-center", "context", "aftermath"})
    EXPECT_FALSE(extracted("<img class=\"" + classes + "\" src=\"a.png\">").figures[0].in_place) << classes;
  EXPECT_EQ(extracted(a).figures.size(), 1U);
  for (const std::string address :
       {"/quesimg/Upload/formula/cone7.png", "p.files/image001.wmf", "Upload\\formula\\cone7.png"})
    EXPECT_TRUE(figure_at(address).in_place) << address;
  EXPECT_FALSE(figure_at("/upload/math/cone7.png").in_place);
  EXPECT_NE(text_of("x![](media/image1.wmf)").find("🖾"), std::string::npos);
  EXPECT_NE(text_of("x![](/hebei/media/image1.wmf)").find("🖻"), std::string::npos);
}

}  // namespace
}  // namespace qdedup::markup
