#include <string>

#include <gtest/gtest.h>

#include "markup/tidying.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(Numbering, IsDropped) {
  for (const std::string front :
       {"5．", "5.", "5、", "12. ", "第5题", "第 5 题：", "（12）．", "(12)（5分）", "（5分）", "( 5 分 )",
        "6. （5 分）", "（本小题满分12分）", "（2019·北京中考）", "【2016年新希望杯六年级竞赛题】",
        "（2016•怀化）", "(2020 · 浙江杭州)", "【2021全国甲卷】", "3．（2020秋·期末）（4分）"}) {
    EXPECT_EQ(without_numbering(front + "求面积"), "求面积") << front;
  }
  EXPECT_EQ(without_numbering("18．2022年某市"), "2022年某市");
  EXPECT_EQ(without_numbering("第5题小明做对4题"), "小明做对4题");
  EXPECT_EQ(without_numbering("4、小明和小红一共有几本书"), "小明和小红一共有几本书");
}

TEST(Numbering, AScoreBehindTheStemIsDropped) {
  EXPECT_EQ(without_numbering("求面积。（5分）"), "求面积。");
  EXPECT_EQ(signs_in(without_numbering("正确的是〔3 分〕（ ） A．1 B．2")),
            signs_in(without_numbering("正确的是（ ） A．1 B．2")));
  EXPECT_EQ(signs_in(without_numbering("正确的是（3分）\nA．1 B．2")), signs_in("正确的是 A.1 B.2"));
  for (const std::string text :
       {"投中得（3分），罚球得（1分）", "平均分是（96分）", "答对（5分）", "共得几分？（3分或2分）求"}) {
    EXPECT_EQ(without_numbering(text), text);
  }
}

TEST(Numbering, NumbersOfTheQuestionStay) {
  for (const std::string text : {"3.14是圆周率",
                                 "2、3、5的最小公倍数",
                                 "5 只鸡",
                                 "（12）是几",
                                 "2.5米是几厘米",
                                 "第5个",
                                 "（甲）求面积",
                                 "12",
                                 "5．",
                                 "1000．求",
                                 "（1949年）",
                                 "（2016·5）的值",
                                 "（甲·乙）是谁",
                                 "（5分）的时间内打几个字",
                                 "第5题的答案是几",
                                 "（竞赛）用括号里的词语写一句话",
                                 "第3题和第4题一共得多少分",
                                 "第5题比第6题难",
                                 "第3题、第4题各得几分",
                                 "第3题到5题",
                                 "第3题是填空题，第12题是计算题，中间隔几题",
                                 "第3题起每题三分，共有十二题",
                                 "第3题小明得2分，第12题小红得4分，共得几分",
                                 "4、x和8三个数的平均数是6",
                                 "4、$x$ 与8的平均数",
                                 "7、八及九三个数哪个大",
                                 "4、m和n是三角形的三边",
                                 "（3分）减（2分）等于几分",
                                 "9.，8.，下一个数是几"}) {
    EXPECT_EQ(without_numbering(text), text);
  }
}

TEST(Numbering, OptionsHaveOneMark) {
  const std::string one = signs_in(without_numbering("求 A. 1 B. 2 C. 3"));
  for (const std::string text : {"求(A)1(B)2(C)3", "求（A）1 （B）2 （C）3", "求 A．1 B．2 C．3",
                                 "求\nA、1\nB、2\nC、3", "求 Ａ．1 Ｂ．2 Ｃ．3"}) {
    EXPECT_EQ(signs_in(without_numbering(text)), one) << text;
  }
  EXPECT_EQ(without_numbering("提取液（A）注射"), "提取液（A）注射");
  EXPECT_EQ(signs_in(without_numbering("提取液（A）是 (A)1 (B)2")), signs_in("提取液（A）是 A.1 B.2"));
}

TEST(Numbering, IsForPlainTextsToo) {
  EXPECT_EQ(extract("5．x<b>", {.numbering = Numbering::drop}).text, "x<b>");
  EXPECT_EQ(extract("5．x<b>", {}).text, "5．x<b>");
}

TEST(Numbering, TheFirstOfAListIsNone) {
  for (const std::string text : {"8、x、12、6的平均数", "81、（ ）、49、36", "3、-5、0四个数",
                                 "3、√10、π三个数", "9.□8≈10", "3.（ ）5＞3.65", "3、四、五年级一共"}) {
    EXPECT_EQ(without_numbering(text), text);
  }
  for (const std::string text : {"0.ˑ3化成分数", "1.ˑ3化成分数", "2.ˉ3化成分数", "0．化简", "1.(3)化成分数",
                                 "1.(1)化成分数", "3.△×5", "3.？5＞3", "2.○5＞2.25", "2.☆5", "2.■5"}) {
    EXPECT_EQ(without_numbering(text), text);
  }
  for (const std::string text : {"△ABC的面积", "(1)求和；(2)求积", "（3）班", "■"})
    EXPECT_EQ(without_numbering("17. " + text), text);
  for (const std::string text :
       {"△ABC的面积", "(1)求和；(2)求积", "★下列说法", "★★下列说法", "▲下列说法", "◆已知x=1", "○如图", "△αβγ",
        "（2）班有学生", "(1)计算3+5", "（1）求和（ 2 ）求积"})
    EXPECT_EQ(without_numbering("17." + text), text);
  EXPECT_EQ(without_numbering("17. ★ 求x"), "★ 求x");
  EXPECT_EQ(without_numbering("5、小明、小红有3本书"), "5、小明、小红有3本书");
  EXPECT_EQ(without_numbering("5、小明和小红有3本书"), "小明和小红有3本书");
}

}  // namespace
}  // namespace qdedup::markup
