#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/dropped_notation.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Are their signs the same, and what the duplicate test drops?
bool are_alike(const std::string& a, const std::string& b) {
  const std::string text_a = text_of("已知" + a + "，求");
  const std::string text_b = text_of("已知" + b + "，求");
  return signs_in(text_a) == signs_in(text_b) &&
         refine::same_dropped_notation(refine::TextForms(text_a), refine::TextForms(text_b));
}

void expect_apart(const Pairs& pairs) {
  for (const auto& [a, b] : pairs)
    EXPECT_FALSE(are_alike(a, b)) << a << '\n' << b << '\n' << text_of(a) << '\n' << text_of(b);
}

void expect_alike(const Pairs& pairs) {
  for (const auto& [a, b] : pairs)
    EXPECT_TRUE(are_alike(a, b)) << a << '\n' << b << '\n' << text_of(a) << '\n' << text_of(b);
}

std::string styled(const std::string& style, const std::string& content) {
  return "<span style='" + style + "'>" + content + "</span>";
}

std::string in_math(const std::string& content) { return "<math>" + content + "</math>"; }

TEST(DifferentQuestions, HaveTheirLinesInDifferentPlaces) {
  const std::string above = "text-decoration:overline";
  const std::string border = "border-top:1px solid";
  expect_apart({
      {"Y=" + styled(above, "A+B"), "Y=A+" + styled(above, "B")},
      {"0." + styled(above, "12"), "0.1" + styled(above, "2")},
      {styled(border, "A+B"), "A+" + styled(border, "B")},
      {"√" + styled(border, "3+1"), "√" + styled(border, "3") + "+1"},
      {in_math("<menclose notation='top'><mi>A</mi><mi>B</mi></menclose>"),
       in_math("<mi>A</mi><menclose notation='top'><mi>B</mi></menclose>")},
      {in_math("<menclose notation='circle'><mn>3</mn></menclose>"),
       in_math("<menclose notation='box'><mn>3</mn></menclose>")},
      {"br<u>ea</u>d", "bre<u>a</u>d"},
      {"<u>zh</u>i", "z<u>h</u>i"},
      {"划线词语<u>不以物喜</u>", "划线词语不以<u>物喜</u>"},
      {"划线词语<u>不以物喜 </u>", "划线词语不以<u>物喜 </u>"},
      {"划线词语<u><span style='display:inline-block'>不以物喜</span></u>",
       "划线词语不以<u><span style='display:inline-block'>物喜</span></u>"},
      {"<s>x<sup>2</sup></s>", "x<s><sup>2</sup></s>"},
      {"<u>x<sup>2</sup></u>", "x<sup>2</sup>"},
      {"<u>不以</u><s>物喜</s>", "<u>不以物喜</u>"},
      {in_math(
           "<menclose notation='box'><mn>1</mn></menclose><menclose notation='box'><mn>2</mn></menclose>"),
       in_math("<menclose notation='box'><mn>12</mn></menclose>")},
      {in_math("<menclose notation=' top right'><mi>A</mi><mi>B</mi></menclose>"),
       in_math("<mi>A</mi><menclose notation=' top right'><mi>B</mi></menclose>")},
      {"<s>12</s>", "1<s>2</s>"},
      {"$\\underline{ab}$", "$a\\underline{b}$"},
      {"$\\cancel{12}$", "$1\\cancel{2}$"},
      {"$\\boxed{1+2}$", "$1+\\boxed{2}$"},
  });
  expect_alike({{"0." + styled(above, "12") + "3", "$0.\\overline{12}3$"},
                {"√" + styled(border, "3+1"), "$\\sqrt{3+1}$"},
                {styled(border, "&nbsp;") + "x", "x"},
                {styled(border, "A. 甲"), "A. 甲"},
                {"3<u><img src='b7f.png'></u>", "3<img src='b7f.png'>"}});
}

TEST(DifferentQuestions, HaveTheirFiguresInDifferentPlaces) {
  const std::string a = "<img src='/x/cone.png'>";
  const std::string b = "<img src='/x/cube.png'>";
  expect_apart({{a + "是甲" + b + "是乙", b + "是甲" + a + "是乙"},
                {a + b, b + a},
                {"A." + a + "B.无", "A.B.无" + a},
                {"甲" + a + "乙", "甲乙" + a},
                {"（" + a + "）和（ ）", "（ ）和（" + a + "）"},
                {"![](cone.png)和![](cube.png)", "![](cube.png)和![](cone.png)"},
                {"甲[图]乙", "甲乙[图]"},
                {"1" + a + "2", "12" + a}});
  expect_alike({{a + "是甲" + b + "是乙", "<p>" + a + "</p>是甲![](/y/cube.png)是乙"},
                {"甲[图]乙", "甲<img src='/x/blank.gif'>乙"}});
  const Options options{.markup = Reading::automatic, .numbering = Numbering::drop};
  const std::string text = extract("已知甲" + a, options).text;
  EXPECT_EQ(extract("5．已知甲" + a, options).text, text);
  EXPECT_EQ(extract(a + "5．已知甲", options).text, extract(a + "已知甲", options).text);
  using Row = std::array<std::string, 3>;
  for (const Row& row : {Row{"A", "、B", "、C无"}, Row{"A", "．B", "．"}, Row{"（A", "）（B", "）"},
                         Row{"（", "A）（", "B）"}}) {
    const auto without_numbering = [&](const std::string& x, const std::string& y) {
      return extract("求" + row[0] + x + row[1] + y + row[2], options).text;
    };
    EXPECT_FALSE(refine::same_dropped_notation(refine::TextForms(without_numbering(a, b)),
                                               refine::TextForms(without_numbering(b, a))))
        << row[1];
  }
  EXPECT_FALSE(
      refine::same_dropped_notation(refine::TextForms(extract("求A．甲" + a + "B．乙", options).text),
                                    refine::TextForms(extract("求A．甲B" + a + "．乙", options).text)));
  EXPECT_FALSE(refine::same_dropped_notation(refine::TextForms(extract(a + "5．已知甲", options).text),
                                             refine::TextForms(text)));
}

TEST(DifferentQuestions, HaveOtherLinesUnderTheirWords) {
  const std::string asks = "画波浪线的词语";
  const auto span = [](const std::string& style) {
    return [style](const std::string& words) { return styled(style, words); };
  };
  const auto command = [](const std::string& name) {
    return [name](const std::string& words) { return "$\\" + name + "{" + words + "}$"; };
  };
  const auto plain = [](const std::string& words) { return "<u>" + words + "</u>"; };
  const std::vector<std::vector<std::function<std::string(const std::string&)>>> kinds = {
      {span("text-decoration:underline wavy red"), span("-webkit-text-decoration: wavy underline"),
       span("text-decoration:underline;text-decoration-style:wavy"),
       [](const std::string& words) { return "<u style='text-underline:wave'>" + words + "</u>"; },
       [](const std::string& words) { return "<bdo class='mathjye-underwave'>" + words + "</bdo>"; },
       command("uwave")},
      {span("border-bottom:1px dashed #000"), span("text-decoration:underline dashed"), command("dashuline")},
      {span("border-bottom:3px double"), span("text-decoration:underline double"), command("uuline")},
      {span("border-bottom:2px dotted"), span("-webkit-text-emphasis:dot"), span("text-emphasis:filled dot"),
       span("-webkit-text-emphasis-style:circle"), command("dotuline")}};
  for (const auto& kind : kinds) {
    for (const auto& draw : kind) {
      expect_alike({{asks + draw("不以") + "物喜", asks + kind.front()("不以") + "物喜"}});
      expect_apart({{asks + draw("不以") + "物喜", asks + "不以" + draw("物喜")},
                    {asks + draw("不以") + plain("物喜"), asks + plain("不以") + draw("物喜")}});
    }
  }
  expect_alike({{"乐于" + kinds[0][0]("不以") + "物喜", "乐于不以物喜"}});
}

TEST(DifferentQuestions, AreUnderlinedInPartsOrTwice) {
  const std::string asks = "划线词语";
  const std::string whole = asks + "乐于<u>不以物喜</u>者";
  for (const std::string parts :
       {"<u>不以</u><u>物喜</u>", "<u>不</u><u>以</u><u>物</u><u>喜</u>", "<u>不以<u>物喜</u></u>",
        "<u><u>不</u>以物喜</u>", "<b><u>不以</u></b><span style='text-decoration:underline'>物喜</span>"})
    expect_alike({{whole, asks + "乐于" + parts + "者"}});
  expect_apart({{whole, asks + "乐于不以<u>物</u><u>喜</u>者"}});
  EXPECT_NE(text_of("<u>x<u>&emsp;</u>y</u>").find("____"), std::string::npos);
}

TEST(DifferentQuestions, HaveBlanksInDifferentPlaces) {
  for (const std::string blank :
       {"<u>&emsp;&emsp;</u>", "<u>&ensp;</u>", "<u>\u2003</u>", "<bk index='1'></bk>",
        "<span style='display:inline-block;width:60px;border-bottom:1px solid'></span>",
        "<div class='quizPutTag' contenteditable='true'>&nbsp;</div>", "<span class='blank'></span>",
        "$\\underline{\u2003}$", "$\\dotuline{~~~~}$", "$\\uwave{~~~~}$",
        "<u style='text-underline:dotted'>&nbsp;&nbsp;&nbsp;</u>",
        "<span style='text-decoration:underline dotted'>&emsp;</span>",
        "<span style='border-bottom:1px dotted'>&emsp;</span>",
        "<span style='border:1px solid;border-width:0 0 1px'>&nbsp;</span>",
        "<span style='border-style:none none dashed'>&nbsp;</span>",
        "<span style='border:1px solid;border-left:0;border-right:0;border-top:0'></span>",
        "<span style='border:1px solid;border-top:none'></span>",
        "<span style='border-bottom:2px ridge'></span>", "<span style='border-bottom:2px outset'></span>"}) {
    expect_apart({{"我" + blank + "喜欢", "我喜欢" + blank}});
  }
  for (const std::string blank :
       {"<bk size='8' type='underline'></bk>", "<span class='fill-blank'></span>",
        "<i style='display:inline-block'><span style='display:block;border-bottom:1px "
        "solid'>&nbsp;</span></i>",
        "<i style='display:inline-block'><div style='border-bottom:1px solid'>&nbsp;</div></i>"}) {
    EXPECT_NE(text_of("我" + blank + "喜欢").find("____"), std::string::npos) << blank;
  }
  expect_alike({{"我<u>\u200B</u>喜欢____", "我喜欢____"},
                {"<span class='blank'>我</span>", "我"},
                {"我<div class='blank10'></div>是", "我<p></p>是"},
                {"我<div class='blank'></div>是", "我<p></p>是"}});
}

TEST(DifferentQuestions, HaveBoxesInDifferentPlaces) {
  for (const std::string box :
       {"<span style='border:1px solid #000;padding:0 9px'>&nbsp;</span>",
        "<span style='border:1px solid'></span>", "<span style='border-style:solid;border-width:1px'></span>",
        "<span style='border:1px solid rgb(0, 0, 0);border-width:1.0pt 10px'></span>",
        "<span style='border-width:0;border:solid;border-width:thin 1px 2px'></span>",
        "<span style='border-top:1px solid;border-right:1px solid;border-bottom:1px solid;border-left:1px "
        "dashed'></span>",
        "<div style='display:inline-block;border:solid 1px;width:20px'></div>",
        "<span style='border:2px inset'></span>", "<span style='border-style:groove'></span>", "$\\boxed{}$",
        "$\\fbox{  }$", "$\\square$", "<math><menclose notation='box'><mspace/></menclose></math>"}) {
    expect_apart({{"3" + box + "+2", "3+" + box + "2"}, {"我____喜欢", "我喜欢" + box}});
    expect_alike({{"3" + box + "+2", "3□+2"}});
  }
  for (const std::string style :
       {"border:none", "border:0 solid", "border:1px solid transparent", "border:solid 0px", "border:1px",
        "border:1px solid;border-width:0 0 0 5px", "border:1px solid;border-color:transparent",
        "border:1px solid #0000", "border:1px solid rgba(0,0,0,0)",
        "border:1px solid;border-width:0 !important", "border:1px solid;border-bottom:none",
        "border:1px solid;border-style:none solid", "border:1px solid;border-bottom-width:0"})
    expect_alike({{"我" + styled(style, "") + "喜欢", "我喜欢"}});
  expect_alike({{styled("border:1px solid", "甲"), "甲"}});
}

TEST(DifferentQuestions, HaveDifferentFieldsOfWord) {
  const auto field = [](const std::string& formula) {
    return "x＝<!--[if supportFields]><span><span style='mso-element:field-begin'></span>&nbsp;" + formula +
           " </span><![endif]--><!--[if supportFields]><span style='mso-element:field-end'></span>"
           "<![endif]-->";
  };
  expect_apart({{field("EQ \\F(1,2)"), field("EQ \\R(3)")}, {field("eq \\r(3)"), "x＝(3)"}});
  expect_alike({{field("HYPERLINK \"1\""), "x＝"}});
}

TEST(DifferentQuestions, DifferThoughTheirLatexIsDamaged) {
  Pairs pairs = {
      {"$\f" + std::string("rac{1}{23}$"), "$\f" + std::string("rac{12}{3}$")},
      {"$\v" + std::string("ec{a}b$"), "$\v" + std::string("ec{ab}$")},
      {"$\b" + std::string("inom{1}{23}$"), "$\b" + std::string("inom{12}{3}$")},
      {"$\tfrac{1}{23}$", "$\tfrac{12}{3}$"},
      {"$3frac{1}{23}$", "$3frac{12}{3}$"},
      {"$xsqrt{2}3$", "$xsqrt{23}$"},
      {"$sqrt[3]{2}4$", "$sqrt[3]{24}$"},
      {"$overline{A}B$", "$overline{AB}$"},
      {"$x^\theta$", "$x^heta$"},
  };
  expect_apart(pairs);
  expect_alike({{"$\frac{1}{2}$", "$\\frac{1}{2}$"},
                {"$2\times3$", "$2\\times3$"},
                {"$dfrac{1}{2}+sqrt[3]{x}$", "$\\dfrac{1}{2}+\\sqrt[3]{x}$"},
                {"$a\tan$", "$a\\tan$"},
                {"$x^\theta$", "$x^\\theta$"},
                {"$v_\text{max}$", "$v_\\text{max}$"},
                {"a\tan apple", "a an apple"},
                {"frac{x}", "frac{x}"}});
}

TEST(DifferentQuestions, GiveTheirFirstLettersToTheCommandBefore) {
  for (const std::string command : {"color ", "tag ", "phantom ", "underline ", "cancel ", "not "}) {
    for (const std::string name : {"frac", "sqrt", "bar"}) {
      const std::string begin = "$x\\" + command + name;
      expect_apart({{begin + "{1}{2}$", begin + "{1}{3}$"}});
    }
  }
  EXPECT_EQ(text_of("三角形$\\label_abfrac{1}{2}$").substr(0, 9), "三角形");
}

TEST(DifferentQuestions, HaveDifferentArgumentsOfCommands) {
  expect_apart({{"$\\nicefrac{1}{23}$", "$\\nicefrac{12}{3}$"},
                {"$\\prescript{14}{6}{C}$", "$\\prescript{1}{46}{C}$"},
                {"$\\foo{a}{bc}$", "$\\foo{ab}{c}$"},
                {"$\\foo{a}{b}$", "$\\foo{ab}$"},
                {"$\\foo{a}{b}{c}$", "$\\foo{a}{bc}$"},
                {"$\\overunderset{1}{23}{=}$", "$\\overunderset{12}{3}{=}$"},
                {"$\\longdiv{12}{345}$", "$\\longdiv{123}{45}$"},
                {"$\\matrix{1&2\\cr3&4}$", "$\\matrix{1\\cr2\\cr3\\cr4}$"}});
  expect_alike({{"$\\nicefrac12$", "$\\frac12$"},
                {"$\\pmatrix{1&2\\cr3&4}$", "$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$"},
                {"${{x}_{1}}{{x}_{2}}$", "$x_1x_2$"}});
}

TEST(DifferentQuestions, HaveOtherRowsAndCellsInTheirFormulas) {
  expect_apart({{"$\\begin{cases}x^2-1\\\\-x\\end{cases}$", "$\\begin{cases}x^2\\\\-1-x\\end{cases}$"},
                {"$\\begin{dcases}a&b\\\\c\\end{dcases}$", "$\\begin{dcases}a\\\\b&c\\end{dcases}$"},
                {"$\\cases{a-b\\\\c}$", "$\\cases{a\\\\-b&c}$"},
                {"$\\sum_{\\substack{i\\\\-j\\\\k}}$", "$\\sum_{\\substack{i-j\\\\k}}$"},
                {"$\\begin{pmatrix}1&\\\\&2\\end{pmatrix}$", "$\\begin{pmatrix}1\\\\2\\end{pmatrix}$"},
                {"$\\begin{pmatrix}1&\\\\&2\\end{pmatrix}$", "$\\begin{pmatrix}1&2\\end{pmatrix}$"},
                {"$\\begin{matrix}1&&2\\end{matrix}$", "$\\begin{matrix}1&2\\end{matrix}$"}});
  expect_alike({{"$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$",
                 "$\\left\\{\\begin{array}{l}x+y=3\\\\x-y=1\\end{array}\\right.$"},
                {"$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$",
                 "$\\left\\{\\begin{aligned}&x+y=3\\\\&x-y=1\\end{aligned}\\right.$"},
                {"$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$",
                 in_math("<mtable><mtr><mtd>x+y=3</mtd></mtr><mtr><mtd>x-y=1</mtd></mtr></mtable>")},
                {"$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$", "x+y=3,x-y=1"},
                {"$\\cases{x+y=3\\cr x-y=1}$", "$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$"}});
}

TEST(DifferentQuestions, HaveTheirBracesInDifferentPlaces) {
  expect_apart({{"$\\underbrace{a+b}+c$", "$a+\\underbrace{b+c}$"},
                {"$\\overbrace{ab}c$", "$\\overbrace{abc}$"},
                {"$\\overbrace{ab}$", "$\\underbrace{ab}$"},
                {"$\\utilde{a}b$", "$\\utilde{ab}$"},
                {"$\\utilde{ab}c$", "$\\utilde{abc}$"}});
}

TEST(DifferentQuestions, AreNumberedOrMergedByAttributes) {
  const auto list = [](const std::string& begin) { return "<" + begin + ">甲<li>乙</ol>"; };
  const std::string plain = list("ol><li");
  for (const std::string begin : {"ol start=3><li", "ol reversed><li", "ol type=A><li", "ol><li value=4"})
    expect_apart({{plain, list(begin)}});
  expect_apart({{list("ol start=3><li"), list("ol start=4><li")},
                {list("ol start=1000><li"), list("ol start=2000><li")},
                {list("ol type=a><li"), list("ol type=A><li")},
                {list("ul type=circle><li"), list("ul type=square><li")},
                {list("ol reversed=1><li"), plain}});
  expect_alike({{plain, list("ol start='1' type=1><li")},
                {list("ul type=Disc><li"), list("ul><li")},
                {list("ul type=SQUARE><li"), list("ul type=square><li")},
                {list("ol reversed><li"), list("ol reversed='reversed'><li")}});
  const auto row = [](const std::string& first, const std::string& second) {
    return "<table><tr><td" + first + ">5</td><td" + second + ">3</td></tr><tr><td>7</td></tr></table>";
  };
  expect_apart({{row(" rowspan=2", ""), row("", "")},
                {row(" colspan=2", ""), row("", " colspan=2")},
                {row(" colspan=2", ""), row(" colspan=3", "")},
                {in_math("<mtable><mtr><mtd columnspan='2'>5</mtd><mtd>3</mtd></mtr></mtable>"),
                 in_math("<mtable><mtr><mtd>5</mtd><mtd columnspan='2'>3</mtd></mtr></mtable>")}});
  expect_alike({{row(" rowspan='1' colspan='1'", ""), row("", "")}});
}

TEST(DifferentQuestions, HaveOtherFieldsFilledInOrChecked) {
  for (const std::string type : {"checkbox", "radio"}) {
    const std::string box = "<input type=" + type;
    for (const std::string checked : {" checked", " checked=1"})
      expect_apart({{box + checked + ">甲" + box + ">乙", box + ">甲" + box + checked + ">乙"}});
    expect_alike({{box + " checked=''>甲" + box + ">乙", box + " checked='checked'>甲" + box + ">乙"},
                  {box + ">甲" + box + ">乙", "甲乙"}});
  }
  expect_apart(
      {{"<select><option>甲<option selected>乙</select>", "<select><option selected>甲<option>乙</select>"},
       {"<select><option>甲<option selected=1>乙</select>", "<select><option>甲<option>乙</select>"},
       {"<input type=tel value=5>人", "<input type=tel value=7>人"}});
  for (const std::string blank : {"<input type='tel'>", "<textarea></textarea>", "<select></select>",
                                  "<select><option></option></select>"})
    expect_apart({{"我" + blank + "喜欢", "我喜欢" + blank}});
  expect_alike({{"我<input type=button value=查看>喜欢", "我喜欢"}});
}

TEST(DifferentQuestions, AreMarkedOrTurned) {
  expect_apart({{"划线词语<mark>不以</mark>物喜", "划线词语不以<mark>物喜</mark>"},
                {"<bdo dir=rtl>123</bdo>", "123"}});
  expect_alike({{"<mark>不以</mark>物喜", "不以物喜"},
                {"<bdo dir=ltr>123</bdo>", "123"},
                {"<bdo dir=LTR>123</bdo>", "123"},
                {"<bdo dir=RTL>123</bdo>", "<bdo dir=rtl>123</bdo>"}});
}

TEST(DifferentQuestions, SetOtherWordsInAnotherType) {
  const std::string asks = "文中加粗的词语";
  for (const std::string begin :
       {"<b>", "<strong>", "<i>", "<em>", "<font color=red>", "<span style='font-weight:bold'>",
        "<span style='font-weight:700'>", "<span style='font-weight:1000!important'>",
        "<span style='font-weight:bold;font-style:normal;color:#333'>", "<span style='font-style:italic'>",
        "<span style='font-style:oblique 10deg'>", "<span style='color:rgb(255, 0, 0)'>",
        "<span style='color:red !important'>"}) {
    const std::string end = "</" + begin.substr(1, begin.find_first_of(" >") - 1) + ">";
    expect_apart({{asks + begin + "不以" + end + "物喜", asks + "不以" + begin + "物喜" + end}});
    expect_alike({{"乐于" + begin + "不以" + end + "物喜", "乐于不以物喜"},
                  {asks + begin + "不以" + end + "物喜", asks + "<b>不</b><b><b>以</b></b>物喜"},
                  {asks + "我" + begin + "&emsp;&emsp;" + end + "喜欢", asks + "我喜欢"}});
  }
  for (const std::string style :
       {"font-weight:400;color:#333", "font-weight:normal", "font-weight:lighter", "font-weight:inherit",
        "font-weight:70", "font-style:normal", "font-weight:bold;font-weight:normal",
        "font-style:italic;font-style:normal", "color:red;color:#333"})
    expect_alike({{asks + styled(style, "不以") + "物喜", asks + "不以物喜"}});
  for (const std::string begin :
       {"<span style='font-weight:bold'>", "<span class='bold' style='color:red'>"}) {
    expect_alike({{"Read the word " + begin + "c</span>at", "Read the word cat"}});
    expect_apart(
        {{"Read the bold letters: " + begin + "c</span>at", "Read the bold letters: c" + begin + "a</span>t"},
         {"读<b>加</b>&#x7C97;的字：" + begin + "不</span>以", "读加粗的字：不" + begin + "以</span>"}});
  }
}

TEST(DifferentQuestions, AreRaisedAndLoweredByClasses) {
  for (const std::string name : {"sup", "superscript"})
    EXPECT_EQ(text_of("x<span class='" + name + "'>2</span>"), "x^2");
  for (const std::string name : {"sub", "subscript"})
    EXPECT_EQ(signs_of_markup("x<span class='x " + name + "'>2</span>"), "x _ 2");
  EXPECT_EQ(text_of("x <span class='sub'>2</span>"), "x 2");
}

TEST(DifferentQuestions, HideTextByItsColor) {
  for (const std::string color : {"transparent", "rgba(0, 0, 0, 0)", "hsla(0,0%,0%,0.0) !important",
                                  "#00000000", "#fff0", "rgb(0 0 0 / 0%)"}) {
    expect_alike({{"甲" + styled("color:" + color, "3") + "乙", "甲乙"}});
    expect_apart({{"我" + styled("border-bottom:1px solid;color:" + color, "3") + "喜欢",
                   "我喜欢" + styled("border-bottom:1px solid;color:" + color, "3")},
                  {"甲" + styled("color:" + color, "<img src='b7f.png'>") + "乙", "甲乙"},
                  {"1" + styled("color:" + color, "x") + "2", "12"}});
    EXPECT_EQ(text_of(styled("color:" + color, "3" + styled("color:#000", "5"))), "5");
  }
  for (const std::string color :
       {"rgb(0,0,0)", "#000", "#000000", "#f0f0f0", "rgba(0,0,0,.5)", "red", "#0008"})
    EXPECT_EQ(text_of(styled("color:" + color, "3")), "3");
}

TEST(DifferentQuestions, HaveATildeInOneOfThem) {
  expect_apart({{"$x$由①~④可得", "$x$由①④可得"},
                {"$3$~$5$人", "$3$、$5$人"},
                {"$x$为10%~20%", "$x$为10%、20%"},
                {"$x$为-5℃~-3℃", "$x$为-5℃，-3℃"},
                {"$x$见(1)~(4)题", "$x$见(1)(4)题"},
                {"$X$~$N(1,2)$", "$X$，$N(1,2)$"}});
  expect_alike(
      {{"设~$x$~为", "设$x$为"}, {"$$x=$$~$$\\uline{~~~~}$$", "$x=$____"}, {"$x$（~ ~）", "$x$（ ）"}});
}

TEST(DifferentQuestions, AreDrawnInTheSameLetters) {
  const auto fraction = [](const std::string& numerator, const std::string& denominator) {
    return "<span class='fraction'><span>" + numerator + "</span><span>" + denominator + "</span></span>";
  };
  for (const auto& [begin, end] : std::vector<std::pair<std::string, std::string>>{
           {"<span class='mathquill-rendered-math'>", "</span>"},
           {"<span class='mq-math-mode'>", "</span>"},
           {"<span class='MathJax'><nobr>", "</nobr></span>"},
           {"<span class='katex'><span class='katex-html'>", "</span></span>"}}) {
    expect_apart({{begin + fraction("1", "23") + end, begin + fraction("12", "3") + end}});
  }
  const std::string root = "<mjx-container><mjx-math><mjx-msqrt><mjx-c class='mjx-c32'></mjx-c>";
  const std::string x = "<mjx-c class='mjx-c78'></mjx-c>";
  expect_apart({{root + x + "</mjx-msqrt></mjx-math></mjx-container>",
                 root + "</mjx-msqrt>" + x + "</mjx-math></mjx-container>"}});
  expect_alike(
      {{"<span class='mq-math-mode'><span class='mq-selectable'>$x^2$</span><span>x2</span></span>", "x²"},
       {"<span class='katex'><math><mi>x</mi></math><span class='katex-html'>y</span></span>", "x"}});
}

TEST(DifferentQuestions, HaveBoxesBesideOrAboveEachOther) {
  const std::string block = "display:block";
  const auto boxes = [](const std::string& content) { return styled("display:inline-block", content); };
  const auto fraction = [&](const std::string& numerator, const std::string& denominator) {
    return boxes(styled("display:block;border-bottom:1px solid", numerator) + styled(block, denominator));
  };
  const auto over = [&](const std::string& numerator, const std::string& denominator) {
    return boxes(styled(block, numerator) + styled("display:block;border-top:1px solid", denominator));
  };
  expect_apart({{styled(block, "1") + styled(block, "2"), "12"},
                {boxes("1") + boxes("2"), "12"},
                {"10" + styled("position:absolute;top:-5px", "2"), "102"},
                {"10" + styled("position:absolute;top:5px", "2"), "102"},
                {fraction("1", "23"), fraction("12", "3")},
                {fraction("a+b", "c"), "a+" + fraction("b", "c")},
                {over("a", "bc"), over("ab", "c")},
                {boxes("a+b<hr>c"), "a+" + boxes("b<hr>c")},
                {"3" + boxes("5"), "3.5"}});
  expect_alike({{fraction("a+b", "c"), "$\\frac{a+b}{c}$"},
                {over("1", "23"), "$\\frac{1}{23}$"},
                {boxes("<p>1</p><hr><p>23</p>"), "$\\frac{1}{23}$"},
                {boxes("甲<hr>乙") + "<hr>丙", boxes("甲<br>乙") + "<p>丙"},
                {boxes("甲") + boxes("x"), "甲x"},
                {fraction("甲", "乙"), styled(block, "甲") + styled(block, "乙")},
                {boxes("<div style='border-bottom:1px solid'>答案</div>"), "<p>答案</p>"},
                {"3" + boxes(".5") + "元", "3.5元"},
                {boxes("3") + ".5元", "3.5元"},
                {boxes("√" + styled("border-top:1px solid", "3")), "$\\sqrt{3}$"},
                {"x" + styled("display:inline-block;vertical-align:super", "2"), "x²"}});
}

TEST(DifferentQuestions, StandInSectionsOfCdata) {
  expect_apart({{"若<![CDATA[ x=3 ]]>时", "若<![CDATA[ x=5 ]]>时"}});
  EXPECT_EQ(text_of("<a><![CDATA[<p>x<sup>2</sup></p><img src='b7f.png'>]]></a>y"),
            text_of("<a><p>x<sup>2</sup></p><img src='b7f.png'></a>y"));
  EXPECT_EQ(text_of("<p>x<![CDATA[y</p>"), text_of("<p>x</p>"));
  EXPECT_EQ(text_of("<b>x</b>]]>"), "x]]>");
}

TEST(DifferentQuestions, HaveNormsForModuli) {
  expect_apart({{"$\\left\\|a\\right\\|=1$", "$\\left|a\\right|=1$"}});
  expect_alike({{"$\\left\\|a\\right\\|=1$", "$\\|a\\|=1$"}});
}

TEST(DifferentQuestions, HaveDrawings) {
  expect_apart(
      {{"甲<svg width='9'><path d='M0 0L5 5'/></svg>", "甲<svg width='9'><path d='M0 0L5 9'/></svg>"},
       {"甲<p><svg><circle r='5'></p>乙", "甲<p><svg><rect width='5'></p>乙"},
       {"甲<svg viewBox='0 0 5 5'><path/></svg>", "甲<svg viewBox='5 0 5 5'><path/></svg>"}});
  expect_alike(
      {{"甲<svg width='9'><path/></svg>", "甲<svg class='x'><path/></svg>"}, {"甲<svg></svg>", "甲[图]"}});
}

TEST(DifferentQuestions, AskAboutTagsThatNobodyEscaped) {
  expect_apart({{"下列标签<br>的作用", "下列标签<hr>的作用"},
                {"标记<font color='red'>甲</font>", "标记<font color='blue'>甲</font>"},
                {"标签</p>的作用", "标签</h1>的作用"},
                {"用于换行的<br>标记", "用于换行的<hr>标记"},
                {"HTML中，标签 <br> 的作用", "HTML中，标签 <hr> 的作用"}});
  expect_alike({{"<p>下列标签<br>的作用</p>", "<p>下列标签<br>的作用</P>"},
                {"试剂瓶的标签：<br>甲", "试剂瓶的标签：<p>甲</p>"}});
}

TEST(DifferentQuestions, HaveSignsThatLookAlike) {
  expect_apart({{"“α∥β”是“ɑ∥β”的什么条件", "“ɑ∥β”是“α∥β”的什么条件"},
                {"□-▱=3，较大的是", "▱-□=3，较大的是"},
                {"○☐▢，○☐", "○▢☐，○☐"},
                {"求和符号是∑", "求和符号是Σ"},
                {"➔→➔", "→➔→"}});
}

TEST(DifferentQuestions, IndentTheirProgramsOtherwise) {
  const std::string code = "Python\nfor i in range(3):\n  s+=i\n";
  for (const auto& [begin, end] : Pairs{{"<pre>", "</pre>"},
                                        {"<div style='white-space: pre-wrap'>", "</div>"},
                                        {"<pre><code><span>", "</span></code></pre>"}}) {
    expect_apart({{begin + code + "  t()" + end, begin + code + "t()" + end},
                  {begin + code + "\tt()" + end, begin + code + "t()" + end}});
    expect_alike({{begin + code + "  t()" + end,
                   "<p>Python</p><p>for i in range(3):</p><p>&nbsp;&nbsp;s+=i</p><p>&nbsp;&nbsp;t()</p>"}});
  }
  for (const std::string style : {"nowrap", "pre-line"}) {
    expect_alike(
        {{"<div>" + code + "  t()</div>", "<div style='white-space:" + style + "'>" + code + "t()</div>"}});
  }
}

TEST(DifferentQuestions, HaveFormulasInAttributes) {
  for (const std::string begin :
       {"<span data-content='", "<span data-equation='", "<span data-expr='", "<span math='",
        "<math-field value='", "<math><semantics><mrow/><annotation encoding='application/x-tex'>"}) {
    const bool is_source = begin.starts_with("<math>");
    const std::string tag = begin.substr(1, begin.find(' ') - 1);
    const std::string end = is_source ? "</annotation></semantics></math>" : "'></" + tag + ">";
    EXPECT_EQ(signs_of_markup(begin + "x^2" + end), "x ^ 2") << begin;
  }
  for (const std::string attribute :
       {"data-math='1'", "data-math='mathjax'", "data-math='q_1'", "data-math='a=b'", "data-latex='on'",
        "class='option-text' data-value='A'", "class='context' data-value='A'"}) {
    const std::string begin = "<div " + attribute + "><p>若x=";
    EXPECT_EQ(signs_of_markup(begin + "3</p></div>"), "x = 3") << attribute;
  }
  for (const std::string attribute : {"data-latex='true'", "data-math='mathjax'", "data-mathml='on'"})
    expect_apart({{"<img " + attribute + " src='b7f.png'>", "<img " + attribute + " src='b8f.png'>"}});
  const std::string x = "<i data-formula='x'><img src='b7f.png'></i>";
  const std::string y = "<i data-formula='y'><img src='b8f.png'></i>";
  expect_apart(
      {{x + "+2" + y, y + "+2" + x},
       {"<i data-formula='1'><img src='b7f.png'></i>", "<i data-formula='1'><img src='b8f.png'></i>"}});
  EXPECT_EQ(signs_of_markup("<math><annotation encoding='LaTeX'>x^2</annotation></math>"), "x ^ 2");
  EXPECT_EQ(signs_of_markup("<span data-latex='x'></span><img data-latex='y' src='z.png'>"), "x y");
  EXPECT_EQ(signs_of_markup("<i data-content='a_b' id='c'>3</i>"), "3");
}

TEST(DifferentQuestions, HaveOtherMatricesOrBarsOfWordAndMathJye) {
  const auto cell = [](const std::string& text) { return "<m:e><m:r><m:t>" + text + "</m:t></m:r></m:e>"; };
  const auto row = [](const std::string& cells) { return "<m:mr>" + cells + "</m:mr>"; };
  const auto matrix = [](const std::string& rows) { return "<m:oMath><m:m>" + rows + "</m:m></m:oMath>"; };
  const auto jye = [](const std::string& content) { return "<span class='MathJye'>" + content + "</span>"; };
  const std::string bar = "border-top:1px solid";
  expect_apart({{matrix(row(cell("1") + cell("2")) + row(cell("3") + cell("4"))),
                 matrix(row(cell("1")) + row(cell("2")) + row(cell("3")) + row(cell("4")))},
                {jye(styled(bar, "x")) + ">y", jye("x") + ">y"},
                {jye("<table><tr><td style='" + bar + "'>x</td></tr></table>") + ">y", jye("x") + ">y"},
                {jye("√" + styled(bar, "2x")), jye("√" + styled(bar, "2") + "x")}});
  expect_alike({{jye(styled(bar, "x")), "$\\bar x$"}, {jye("√" + styled(bar, "2x")), "$\\sqrt{2x}$"}});
}

}  // namespace
}  // namespace qdedup::markup
