#include "markup/html_reader.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(HtmlReader, BlocksSeparateAndInlineTagsDoNot) {
  EXPECT_EQ(text_of("<p>1</p><p>2</p>"), "1\n2");
  EXPECT_EQ(text_of("1<br>2"), "1\n2");
  EXPECT_EQ(text_of("1<b>2</b><span>3</span>"), "123");
  EXPECT_EQ(text_of("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"),
            "1\u2063 2\u2063\n3\u2063 4");
  EXPECT_EQ(text_of("<ul><li>a<li>b</ul>c"), "a\nb\nc");
}

TEST(HtmlReader, WhatCannotBeSeenVanishes) {
  for (const std::string hidden :
       {"<!-- x -->", "<style>x</style>", "<script>x</script>", "<template><b>x</b></template>",
        "<span style='display: none'>x</span>", "<span style=\"color:red;VISIBILITY:hidden\">x</span>",
        "<i style=\"opacity:0\">x</i>", "<span style=\"font-size:0px\">x<b>y</b></span>",
        "<span hidden>x</span>", "<span aria-hidden=\"true\">x</span>",
        "<span class=\"MathJax_Preview\">x</span>"}) {
    EXPECT_EQ(text_of("a" + hidden + "b"), "ab") << hidden;
  }
  EXPECT_EQ(text_of("a<span style=\"opacity:0.5;font-size:10px\">x</span>"), "ax");
  EXPECT_EQ(text_of("a<span style=\"display:none;display:inline\">x</span>"), "ax");
  EXPECT_EQ(text_of("a<span style='--display:none;-x-display:none;--a-b:c'>x</span>"), "ax");
}

TEST(HtmlReader, WhatIsHiddenEndsWhereABrowserEndsIt) {
  EXPECT_EQ(text_of("<p hidden>x<p>y"), "y");
  EXPECT_EQ(text_of("<ul><li style='display:none'>x<li>y</ul>"), "y");
  EXPECT_EQ(text_of("<table><tr hidden><td>x<tr><td>y</table>z"), "y\nz");
  EXPECT_EQ(text_of("<table><tr><td hidden>x<td>y</table>z"), "y\nz");
}

TEST(HtmlReader, AnElementHasOnePrefix) {
  EXPECT_EQ(text_of("<mml:math><mml:mi>x</mml:mi></mml:math>"), "x");
  std::string prefixes;
  for (int i = 0; i < 500'000; ++i) prefixes += "m:";
  EXPECT_NE(text_of("x<" + prefixes + "a>y</" + prefixes + "a>"), "");
}

TEST(HtmlReader, ABlockWithoutSizeMayHoldWhatHasOne) {
  EXPECT_EQ(text_of("<ul style='font-size:0'><li style='font-size:14px'>A.1</li></ul>"), "A.1");
}

TEST(HtmlReader, WhatHasASizeOfItsOwnShowsInATextWithoutOne) {
  const auto in_none = [](const std::string& content) {
    return text_of("a<span style='font-size:0'>x" + content + "y</span>b");
  };
  for (const char* const size : {"16px", "12pt !important", "1rem", "x-large", "medium"}) {
    const std::string sized = "<i style='font-size:" + std::string(size) + "'>3<sup>2</sup></i>";
    EXPECT_EQ(in_none(sized + "z" + sized), text_of("a3^2 3^2b")) << size;
  }
  for (const char* const size : {"1em", "100%", "0px", "smaller", "inherit"})
    EXPECT_EQ(in_none("<i style='font-size:" + std::string(size) + "'>3</i>"), "ab") << size;
  EXPECT_EQ(in_none("<i style='font-size:9px;display:none'>3</i>"), "ab");
  EXPECT_EQ(in_none("<i hidden><i style='font-size:9px'>3</i></i>"), "ab");
  EXPECT_EQ(text_of("a<i hidden><i style='font-size:0'><i style='font-size:9px'>3</i></i></i>b"), "ab");
  EXPECT_EQ(in_none("<img src='1.png'>"), text_of("a<img src='1.png'>b"));
}

TEST(HtmlReader, StructureInATextWithoutSizeIsRead) {
  const auto in_none = [](const std::string& content) {
    return text_of("x<span style='font-size:0'>" + content + "</span>y");
  };
  const std::string two = "<mn style='font-size:12px'>2</mn>";
  EXPECT_EQ(in_none("<sup><i style='font-size:12px'>2</i></sup>"), text_of("x^2y"));
  EXPECT_EQ(in_none("<math><mfrac>" + two + two + "</mfrac></math>"), text_of("x$\\frac{2}{2}$y"));
  EXPECT_EQ(in_none("<math><msup>" + two + two + "</msup></math>"), text_of("x$2^2$y"));
  EXPECT_EQ(in_none("<m:d><m:e><i style='font-size:12px'>3</i></m:e></m:d>"), "x(3)y");
  EXPECT_EQ(in_none("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math><u>z</u>"), "xy");
}

TEST(HtmlReader, WhatAFieldHoldsIsSeen) {
  EXPECT_EQ(signs_of_markup("x+3<input value=\"5\">2=7"), "x + 3 5 2 = 7");
  EXPECT_EQ(signs_of_markup("x<input type='checkbox' value='5'><input type='hidden' value='5'>"), "x");
  EXPECT_EQ(text_of("甲<input>乙<input type='text' value=''>"), "甲 ____ 乙 ____");
  EXPECT_EQ(text_of("x<input type='IMAGE' src='a.png'>"), text_of("x<img src='a.png'>"));
}

TEST(HtmlReader, ABackgroundIsAFigure) {
  const auto drawn = [](const std::string& style) {
    return text_of("x<span style=\"" + style + "\"></span>");
  };
  const std::string figure = text_of("x<img src='a.png'>");
  EXPECT_EQ(drawn("background-image:url(a.png)"), figure);
  EXPECT_EQ(drawn("color:red;background:#fff url( &quot;a.png&quot; )"), figure);
  EXPECT_EQ(drawn("BACKGROUND-IMAGE: URL('a.png')"), figure);
  EXPECT_EQ(drawn("background-color:#fff;background-image:url(a.png)"), figure);
  EXPECT_EQ(drawn("background-repeat:no-repeat;background-image:url(a.png)"), figure);
  EXPECT_EQ(drawn("font-size:0;background-image:url(a.png)"), figure);
  EXPECT_NE(drawn("background:url(data:image/png;base64,AA);color:red"), "x");
  for (const std::string style : {"background:red", "background:red;cursor:url(a.png)", "background:url()",
                                  "background:url(loading.gif)"})
    EXPECT_EQ(drawn(style), "x") << style;
  EXPECT_NE(drawn("background:url(data:image/png;base64,AA)"),
            drawn("background:url(data:image/png;base64,BB)"));
  EXPECT_NE(text_of("<table background='a.png'><tr><td>x</td></tr></table>"),
            text_of("<table background='b.png'><tr><td>x</td></tr></table>"));
  EXPECT_EQ(text_of("<table background='#fff'><tr><td>x</td></tr></table>"),
            text_of("<table><tr><td>x</td></tr></table>"));
}

TEST(HtmlReader, LettersBetweenSignsAreNoTag) {
  for (const std::string text : {"当a<bc d=5时,e>3", "当a<b c=5时,e>3", "3<?x且y>2"})
    EXPECT_EQ(text_of(text), text);
  EXPECT_EQ(text_of("<font face=宋体>甲</font><?xml version='1.0'?>"), "甲");
  EXPECT_EQ(text_of("<p class=正文>甲</p>"), "甲");
  EXPECT_EQ(text_of("<p class=正文>甲"), "甲");
}

TEST(HtmlReader, WordsAreMarkedByABorderOrAClass) {
  EXPECT_EQ(text_of("甲<span style='border-bottom:1px solid'>乙</span>"), "甲乙\u0332");
  EXPECT_EQ(text_of("甲<span style='border-bottom:0 solid'>乙</span>"), "甲乙");
  EXPECT_EQ(text_of("甲<u>&nbsp;</u>乙"), "甲\u00A0____乙");
  EXPECT_EQ(text_of("甲<u></u>乙<u> </u>丙<del>&nbsp;</del>丁"), "甲乙 丙\u00A0丁");
  EXPECT_EQ(text_of("甲<bdo class='mathjye-underpoint'>乙</bdo>"), "甲乙\u20E8");
}

TEST(HtmlReader, FormulasThatWordHidesInCommentsAreRead) {
  const std::string formula =
      "<!--[if gte msEquation 12]><m:oMath><m:r><m:t>x=3</m:t></m:r></m:oMath><![endif]-->";
  EXPECT_EQ(text_of("甲" + formula + "<![if !msEquation]><img src='a/clip_image002.png'><![endif]>乙"),
            "甲x=3乙");
  EXPECT_EQ(text_of("甲" + formula + "<![if !msEquation]>乙丙"), "甲x=3乙丙");
  EXPECT_EQ(text_of("甲<![if !msEquation]>乙<![endif]>丙"), "甲乙丙");
  std::string many;
  for (int i = 0; i < 50'000; ++i)
    many += formula + "<![if !msEquation]>";  // for hours, if each looked for its end
  EXPECT_NE(text_of(many), "");
  EXPECT_EQ(text_of("甲<!--[if gte mso 9]><xml></xml><![endif]-->乙"), "甲乙");
}

TEST(HtmlReader, AnEmptyCellIsABlank) {
  EXPECT_EQ(text_of("<table><tr><td>1<td>&nbsp;<td>2<tr><td>3<td> 　<b></b></td><td>4</table>"),
            "1\u2063 ____\u2063 2\u2063\n3\u2063 ____\u2063 4");
  EXPECT_EQ(text_of("<table><tr><td><table><tr><td>1</td></tr></table></td><td></td></table>x"),
            "1\u2063 ____\nx");
  EXPECT_EQ(text_of("甲<td></td>乙"), "甲 乙");
  EXPECT_EQ(text_of("<div hidden><p>x<p>y</div>z"), "z");
  EXPECT_THAT(signs_of_markup("a<embed src=\"1.mp3\">b"), testing::StartsWith("a b"));
}

TEST(HtmlReader, WhatIsDrawnOnATextStandsBehindIt) {
  EXPECT_EQ(text_of("<u>ab</u>c<del>d</del>"), "\u206Aab\u0332cd\u0336");
  EXPECT_EQ(text_of("<span style=\"border-top:1px solid\">AB</span>"), "ˉ(AB)");
  EXPECT_EQ(text_of("<b style='text-emphasis: dot'>a</b>"), "a\u20E8");
  EXPECT_EQ(text_of("a<u> </u>b"), "a b");
}

TEST(HtmlReader, EntitiesAreDecodedOnce) {
  EXPECT_EQ(text_of("a&lt;b&amp;lt;&times;&#215;"), "a<b&lt;××");
  EXPECT_EQ(text_of("&lt;b&gt;x&lt;/b&gt;"), "<b>x</b>");
  EXPECT_TRUE(extracted("3&times;4").has_markup());
  EXPECT_FALSE(extracted("AT&T 1<2").has_markup());
}

TEST(HtmlReader, OneOfTheTwoThatAPageHoldsIsRead) {
  const std::string katex =
      "<span class=\"katex\"><span "
      "class=\"katex-mathml\"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>"
      "<annotation encoding=\"application/x-tex\">x^2</annotation></semantics></math></span>"
      "<span class=\"katex-html\" aria-hidden=\"true\"><span>x</span><span>2</span></span></span>";
  EXPECT_EQ(signs_of_markup(katex), "x ^ 2");
  const std::string mathjax =
      "<span class=\"MathJax_Preview\">x2</span><span class=\"MathJax\" "
      "id=\"f\"><nobr><span>x</span><span>2</span></nobr></span>"
      "<script type=\"math/tex\" id=\"g\">x^{2}</script>";
  EXPECT_EQ(signs_of_markup(mathjax), "x ^ 2");
  EXPECT_EQ(signs_of_markup("<span data-latex=\"x^2\"><i>x</i>2</span>!"), "x ^ 2 !");
  EXPECT_EQ(signs_of_markup("<img data-tex=\"\\frac{1}{2}\" src=\"a.png\">"), "( 1 / 2 )");
  EXPECT_EQ(signs_of_markup(
                "<img src=\"https://latex.codecogs.com/gif.latex?\\frac%7B1%7D%7B2%7D&space;&plus;x\">"),
            "( 1 / 2 ) + x");
}

TEST(HtmlReader, MathJyeIsReadThoughItHidesItsRoots) {
  const std::string fraction =
      "<span class=\"MathJye\"><table cellpadding=\"-1\"><tr><td style=\"border-bottom:1px solid "
      "black\">1</td></tr>"
      "<tr><td>2</td></tr></table></span>";
  EXPECT_EQ(signs_of_markup(fraction), "( 1 / 2 )");
  const std::string root =
      "<span class=\"MathJye\"><table><tr><td style=\"font-size: 0px\"><div muststretch=\"v\">√</div></td>"
      "<td style=\"border-top: black 1px solid\">a+b</td></tr></table></span>";
  EXPECT_EQ(signs_of_markup(root), "√ ( a + b )");
}

// Its white space is taken away, and with it the place where the row below began.
TEST(HtmlReader, ARootThatEndsTheRowAboveInMathJyeIsNoFraction) {
  const auto rooted = [](const std::string& between) {
    return "<span class=\"MathJye\"><table><tr><td>√</td>" + between +
           "<td style=\"border-top:1px solid\">中</td></tr></table></span>";
  };
  EXPECT_EQ(text_of(rooted("</tr><tr>")), text_of(rooted("")));
  EXPECT_EQ(text_of(rooted("</tr>                    <tr>")), text_of(rooted("")));
}

TEST(HtmlReader, ATableIsAFractionOnlyWithALine) {
  EXPECT_EQ(text_of("<table><tr><td>1</td></tr><tr><td>2</td></tr></table>"), "1\u2063\n2");
  EXPECT_EQ(
      signs_of_markup("<table><tr><td>1</td></tr><tr><td style=\"border-top:1px solid\">2</td></tr></table>"),
      "( 1 / 2 )");
}

TEST(HtmlReader, MathmlMayHaveAPrefix) {
  for (const std::string prefix : {"mml:", "m:", "MML:"}) {
    const auto tag = [&prefix](const std::string& name, const std::string& content) {
      return "<" + prefix + name + ">" + content + "</" + prefix + name + ">";
    };
    EXPECT_EQ(signs_of_markup(tag("math", tag("mfrac", tag("mn", "1") + tag("mn", "2")))), "( 1 / 2 )");
    EXPECT_EQ(signs_of_markup(tag("math", tag("msup", tag("mi", "x") + tag("mn", "2")))), "x ^ 2");
    EXPECT_EQ(signs_of_markup(tag("math", tag("msqrt", tag("mn", "2")))), "√ 2");
  }
}

TEST(HtmlReader, WhatIsFencedHasItsSeparators) {
  const auto fenced = [](const std::string& separators) {
    return signs_of_markup("<math><mfenced" + separators +
                           "><mi>A</mi><mi>B</mi><mi>C</mi></mfenced></math>");
  };
  EXPECT_EQ(text_of("<math><mfenced><mi>A</mi><mi>B</mi></mfenced></math>"), "(A,B)");
  EXPECT_EQ(fenced(" separators='|'"), "( A | B | C )");
  EXPECT_EQ(fenced(" separators='= &#124; '"), "( A = B | C )");
  EXPECT_EQ(fenced(" separators='→∥∣'"), "( A → B ∥ C )");
  EXPECT_EQ(fenced(" separators=''"), "( A B C )");
  EXPECT_EQ(text_of("<math><mfenced separators='&'><mi>A</mi><mi>B</mi></mfenced></math>"), "(A&B)");
  const auto delimited = [](const std::string& properties) {
    return text_of("<m:oMath><m:d>" + properties +
                   "<m:e><m:r><m:t>3</m:t></m:r></m:e><m:e><m:r><m:t>2</m:t></m:r></m:e></m:d></m:oMath>");
  };
  EXPECT_EQ(delimited(""), "(3|2)");
  EXPECT_EQ(delimited("<m:dPr><m:sepChr m:val=\",\"/></m:dPr>"), "(3,2)");
}

TEST(HtmlReader, WhiteSpaceInAFormulaPartsNumbers) {
  for (const std::string space : {"<mspace/>", "<mspace width='1em'>", "<mphantom><mn>0</mn></mphantom>"})
    EXPECT_EQ(signs_of_markup("<math><mn>3</mn>" + space + "<mn>12</mn></math>"), "3 12") << space;
}

TEST(HtmlReader, FormulasOfWordAreRead) {
  const auto tag = [](const std::string& name, const std::string& content) {
    return "<m:" + name + ">" + content + "</m:" + name + ">";
  };
  const auto run = [&tag](const std::string& text) {
    return tag("r", "<m:rPr><m:sty m:val=\"p\"/></m:rPr>" + tag("t", text));
  };
  const auto signs = [&tag](const std::string& formula) { return signs_of_markup(tag("oMath", formula)); };
  const std::string x = tag("e", run("x"));
  EXPECT_EQ(signs(tag("f", tag("fPr", "<m:ctrlPr/>") + tag("num", run("x")) + tag("den", run("12")))),
            "( x / 12 )");
  EXPECT_EQ(
      signs(tag("f", tag("fPr", "<m:type m:val=\"noBar\"/>") + tag("num", run("n")) + tag("den", run("k")))),
      signs_of_markup("$\\binom nk$"));
  EXPECT_EQ(signs(tag("sSup", x + tag("sup", run("2"))) + run("3")), "x ^ 2 3");
  EXPECT_EQ(signs(tag("sSub", x + tag("sub", run("2")))), "x _ 2");
  EXPECT_EQ(signs(tag("sSubSup", x + tag("sub", run("1")) + tag("sup", run("2")))), "x _ 1 ^ 2");
  EXPECT_EQ(signs(tag("sPre", tag("sub", run("6")) + tag("sup", run("14")) + tag("e", run("C")))),
            "_ 6 ^ 14 C");
  EXPECT_EQ(signs(tag("rad", tag("radPr", "<m:degHide m:val=\"1\"/>") + "<m:deg/>" + tag("e", run("x+1")))),
            signs_of_markup("$\\sqrt{x+1}$"));
  EXPECT_EQ(signs(tag("rad", tag("deg", run("3")) + x)), signs_of_markup("$\\sqrt[3]{x}$"));
  EXPECT_EQ(signs(tag("d", tag("dPr", "<m:begChr m:val=\"|\"/><m:endChr m:val=\"|\"/>") + x)), "| x |");
  EXPECT_EQ(signs(tag("d", tag("e", run("x+1")))), "( x + 1 )");
  EXPECT_EQ(signs(tag("nary", tag("naryPr", "<m:chr m:val=\"∑\"/>") + tag("sub", run("i=1")) +
                                  tag("sup", run("n")) + tag("e", run("a")))),
            signs_of_markup("$\\sum_{i=1}^n a$"));
  EXPECT_EQ(signs(tag("nary", tag("sub", run("0")) + tag("sup", run("1")) + x)),
            signs_of_markup("$\\int_0^1 x$"));
  EXPECT_EQ(signs(tag("bar", tag("barPr", "<m:pos m:val=\"top\"/>") + x)), signs_of_markup("$\\bar x$"));
  EXPECT_EQ(signs(tag("acc", tag("accPr", "<m:chr m:val=\"⃗\"/>") + tag("e", run("AB")))),
            signs_of_markup("$\\vec{AB}$"));
  EXPECT_EQ(signs(tag("acc", x)), signs_of_markup("$\\hat x$"));
  EXPECT_EQ(signs(tag("limLow", tag("e", run("lim")) + tag("lim", run("x→0")))),
            signs_of_markup("$\\lim_{x\\to0}$"));
  EXPECT_NE(signs(tag("bar", x)), "x");
}

// As KaTeX writes it with `output: "html"`, and MathJax without assistive MathML.
TEST(HtmlReader, AFormulaThatIsOnlyDrawnIsAPicture) {
  const auto writings = [](const std::string& x) {
    return std::vector<std::string>{
        "甲<span class=\"katex\"><span class=\"katex-html\" aria-hidden=\"true\"><span>" + x +
            "</span></span></span>乙",
        "甲<mjx-container><mjx-math aria-hidden=\"true\"><mjx-c>" + x +
            "</mjx-c></mjx-math></mjx-container>乙",
        "甲<span class=\"MathJax\" aria-hidden=\"true\"><nobr>" + x + "</nobr></span>乙",
        "甲<mjx-container jax=\"SVG\"><svg><path d=\"" + x + "\"></svg></mjx-container>乙",
        "甲<span class=\"MathJax_SVG\"><svg><path d=\"" + x + "\"></svg></span>乙"};
  };
  const std::vector<std::string> of_x = writings("x");
  const std::vector<std::string> of_y = writings("y");
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    EXPECT_NE(signs_of_markup(of_x[i]), signs_of_markup("甲乙")) << of_x[i];
    EXPECT_NE(signs_of_markup(of_x[i]), signs_of_markup(of_y[i])) << of_x[i];
    EXPECT_EQ(extracted(of_x[i]).figures.size(), 1U) << of_x[i];
  }
  EXPECT_EQ(signs_of_markup("甲<span class=\"katex\"> </span>乙"), signs_of_markup("甲乙"));
  for (const char* const nothing :
       {"<math/>", "<span class=\"katex\"/>", "<math><mspace/></math>",
        "<span class=\"katex\" style=\"display:none\">x</span>", "<math hidden><mi>x</mi></math>"}) {
    EXPECT_EQ(signs_of_markup("甲" + std::string(nothing) + "乙"), signs_of_markup("甲乙")) << nothing;
  }
  const auto second_is_drawn = [](const std::string& x) {
    return "<span class=\"MathJax\"><i>a</i></span><script type=\"math/tex\">a</script>和<span "
           "class=\"MathJax\"><i>" +
           x + "</i></span>";
  };
  EXPECT_NE(signs_of_markup(second_is_drawn("x")), signs_of_markup(second_is_drawn("y")));
  EXPECT_EQ(signs_of_markup("<script type=\"math/tex\">true</script>"), "t r u e");
  EXPECT_NE(text_of("<script type=\"math/asciimath\">{a+b}/c</script>"),
            text_of("<script type=\"math/asciimath\">a+b/c</script>"));
  EXPECT_EQ(signs_of_markup("<script type=\"math/mml\"><math><mi>x</mi></math></script>"), "x");
  EXPECT_EQ(signs_of_markup("<img aria-hidden=\"true\" src=\"a.png\">"),
            signs_of_markup("<img src=\"a.png\">"));
}

TEST(HtmlReader, AnUnknownTagInAFormulaIsSeen) {
  EXPECT_EQ(signs_of_markup("<math><mlongdiv><mn>2</mn><mn>3</mn></mlongdiv></math>"),
            "∖ m l o n g d i v 2 3");
  EXPECT_EQ(signs_of_markup("<math><mn>2</mn><mn>3</mn></math>"), "23");
  EXPECT_EQ(signs_of_markup("甲<o:p>2</o:p><font>3</font><unknown>4</unknown>"), "234");
  EXPECT_EQ(
      signs_of_markup("<mjx-container><mjx-math><mjx-mn><mjx-c class=\"mjx-c32\"></mjx-c></mjx-mn></mjx-math>"
                      "</mjx-container>"),
      "2");
}

TEST(HtmlReader, AMathFractionWithoutLineIsABinomial) {
  EXPECT_EQ(signs_of_markup("<math><mfrac linethickness=\"0\"><mi>n</mi><mi>k</mi></mfrac></math>"),
            signs_of_markup("$\\binom nk$"));
  EXPECT_EQ(signs_of_markup("<math><mfrac linethickness=\"0.5pt\"><mi>n</mi><mi>k</mi></mfrac></math>"),
            "( n / k )");
}

TEST(HtmlReader, ATextIsRaisedByItsPosition) {
  for (const char* const style :
       {"position:relative;top:-5.0pt;mso-text-raise:5.0pt", "font-size:8pt; position: relative; top: -4pt",
        "vertical-align:4px", "vertical-align: 0.5em", "position:relative;bottom:.3em", "mso-text-raise:3pt",
        "font-size:60%;vertical-align:text-top", "vertical-align:top;font-size:smaller",
        "vertical-align:top;font-size:0.7em", "vertical-align:top;font-size:8pt"}) {
    EXPECT_EQ(signs_of_markup(std::string("x<span style=\"") + style + "\">2</span>1"), "x ^ 2 1") << style;
  }
  for (const char* const style :
       {"position:relative;top:3pt;mso-text-raise:-3pt", "vertical-align:-0.25em"}) {
    EXPECT_EQ(signs_of_markup(std::string("a<span style=\"") + style + "\">n</span>"), "a _ n") << style;
  }
  for (const char* const style : {"position:relative;top:0", "top:-3pt", "vertical-align:0px", "margin:-3pt",
                                  "vertical-align:top", "font-size:16px;vertical-align:top"}) {
    EXPECT_EQ(signs_of_markup(std::string("x<span style=\"") + style + "\">2</span>"), "x 2") << style;
  }
  EXPECT_EQ(signs_of_markup("<p style=\"vertical-align:-3px\">2</p>"), "2");
  const std::string small_at_top = "<span style='vertical-align:top;font-size:9px'>";
  EXPECT_EQ(signs_of_markup(small_at_top + "x+1=2</span>"), "x + 1 = 2");
  EXPECT_EQ(signs_of_markup("x" + small_at_top + "+3y=200+300</span>"), "x + 3 y = 200 + 300");
}

TEST(HtmlReader, TheFontSymbolShowsOtherCharacters) {
  EXPECT_EQ(text_of("2<span style='font-family:Symbol'>p</span>r"), "2πr");
  EXPECT_EQ(text_of("sin<font face='Symbol'>a&#32;</font>x"), "sinα x");
  EXPECT_EQ(text_of("<span style='font-family:\"Symbol\",serif'>D</span>ABC"), "△ABC");
  EXPECT_EQ(text_of("<span style='font-family:Segoe UI Symbol'>p</span>"), "p");
  EXPECT_EQ(text_of("x\uF0A3y<br>"), "x≤y");
}

TEST(HtmlReader, WhatEnclosesAFormulaIsKept) {
  const auto enclosed = [](const std::string& notation) {
    return text_of("<math><menclose notation='" + notation + "'><mi>x</mi></menclose></math>");
  };
  EXPECT_EQ(enclosed("radical"), text_of("$\\sqrt{x}$"));
  EXPECT_EQ(enclosed("updiagonalstrike"), text_of("$\\cancel{x}$"));
  EXPECT_EQ(enclosed("box"), text_of("$\\boxed{x}$"));
  EXPECT_NE(enclosed("top"), enclosed("bottom"));
}

TEST(HtmlReader, UnknownTagsAreCounted) {
  const std::string formula =
      "<span data-mathml=\"&lt;math&gt;&lt;mfoo&gt;2&lt;/mfoo&gt;&lt;/math&gt;\"></span>";
  EXPECT_EQ(extracted(formula + formula).unknown, (std::map<std::string, std::uint64_t>{{"<mfoo>", 2}}));
  EXPECT_EQ(extracted("<foo a=\"1\">x</foo><p>y</p>").unknown,
            (std::map<std::string, std::uint64_t>{{"<foo>", 1}}));
}

TEST(HtmlReader, ControlCharactersAreNoMarks) {
  for (char c = 1; c < 32; ++c) {
    const std::string mark(1, c);
    EXPECT_EQ(signs_of_markup("a" + mark + "2"), "a 2") << static_cast<int>(c);
    EXPECT_EQ(signs_of_markup("<p>a" + mark + "2</p>"), "a 2") << static_cast<int>(c);
    EXPECT_EQ(signs_of_markup("a&#" + std::to_string(c) + ";2"), "a 2") << static_cast<int>(c);
  }
}

// Where it took more than linear time, this would not end.
TEST(LargePages, CostLinearTimeWhenMalformed) {
  for (const std::string piece : {"<",
                                  "<a",
                                  "<?1",
                                  "<a b",
                                  "<b ",
                                  "<b>",
                                  "<a href='",
                                  "<a href=\"",
                                  "<a href='x>",
                                  "<a href=\"' b='x\">",
                                  "</b>",
                                  "<!--",
                                  "<!",
                                  "<?",
                                  "&",
                                  "&#",
                                  "<p><b>",
                                  "<table><tr><td>",
                                  "<sup>",
                                  "<mfrac>",
                                  "<mover>",
                                  "<mroot>",
                                  "<style>",
                                  "<span style=\"display:none\">",
                                  "<math><mn>1</mn><msqrt>",
                                  "<b></i>",
                                  "<x>",
                                  "<xy></xy>",
                                  "$",
                                  "\\",
                                  "{",
                                  "[图]",
                                  "![](",
                                  "[来源:",
                                  "(1, ",
                                  "A. ",
                                  "²",
                                  "<li><p>",
                                  "C(",
                                  "C(O)",
                                  "Na ",
                                  "m ",
                                  "1, ",
                                  "□A",
                                  "<u>",
                                  "<u>x",
                                  "<span style='border-top:1px solid'>",
                                  "<i style='display:inline-block'><div style='border-bottom:1px solid'>",
                                  "<div style='border-top:1px solid'></div>",
                                  "<math><annotation encoding='tex'></annotation>",
                                  "<![CDATA[",
                                  "<![CDATA[]]>",
                                  "<picture><source srcset='a.png'>",
                                  "<span data-latex='x'>",
                                  "\frac",
                                  "$sqrt{",
                                  "\\boxed{",
                                  "$\\matrix{1&2\\cr",
                                  "$x$~",
                                  "。(5分)"}) {
    std::string page;
    while (page.size() < 1'000'000) page += piece;
    const Extracted read = extract(page, {.markup = Reading::automatic, .numbering = Numbering::drop});
    EXPECT_LT(read.text.size(), 20 * page.size()) << piece;
  }
}

TEST(LargePages, CostLinearTimeWithTagsInValues) {
  for (const std::string end : {"1 z>", "中>"}) {
    std::string page;
    while (page.size() < 1'000'000) page += "<a x=";
    EXPECT_LT(extracted(page + end).text.size(), 2 * page.size()) << end;
  }
}

// Each tag in a value comes to the attributes that the tags before it have come to.
TEST(LargePages, CostLinearTimeWithTagsThatGoOnAlike) {
  for (const std::string end : {"", "<", "\"", "\" !>", "\" <b>", "\" a='>"}) {
    std::string page = "<a y=\"";
    while (page.size() < 1'000'000) page += "<a x=b\" y=\"";
    EXPECT_LT(extracted(page + end).text.size(), 2 * page.size()) << end;
  }
}

TEST(LargePages, CostLinearTimeWithLinesAboveBehindWhiteSpace) {
  std::string page = "x" + std::string(500'000, ' ');
  for (int i = 0; i < 13'000; ++i) page += "<i style=text-decoration:overline></i>";
  EXPECT_LT(extracted(page).text.size(), page.size());
}

TEST(LargePages, CostLinearTimeWithRootsInManyTables) {
  std::string page = "√";
  for (int i = 0; i < 70'000; ++i) page += "<table>";
  for (int i = 0; i < 40'000; ++i) page += "√<span style='border-top:1px solid'>x</span>";
  EXPECT_LT(extracted(page).text.size(), page.size());
}

}  // namespace
}  // namespace qdedup::markup
