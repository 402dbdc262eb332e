#include "refine/missing_parts.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "refine/contrast.h"
#include "refine/text_forms.h"

namespace qdedup::refine {
namespace {

bool needs_figure(const std::string& a, const std::string& b) {
  return missing_parts(TextForms(a), TextForms(b), {}).needs_figure;
}
bool is_too_short(const std::string& a, const std::string& b) {
  return missing_parts(TextForms(a), TextForms(b), {}).too_short;
}
bool needs(const std::string& text) { return needs_figure(text, text); }
bool is_short(const std::string& text) { return is_too_short(text, text); }

TEST(MissingParts, WhatPointsAtAFigureNeedsIt) {
  for (const std::string text :
       {"看图列式计算。", "如图，求阴影部分的面积。", "下图中有几个三角形？", "[图片]求面积是多少平方厘米",
        "求面积<img src=\"a.png\">是多少", "![](a.png)求面积是多少", "听录音，选择你听到的单词。",
        "阅读短文，完成问题。", "画线句子有什么作用？"}) {
    EXPECT_TRUE(needs(text)) << text;
  }
  EXPECT_FALSE(needs("小红买了10本书，每本5元，一共多少元？"));
  EXPECT_FALSE(needs("求面积"));
}

TEST(MissingParts, AKnownFigureIsThere) {
  const std::string known = "如图，求面积 🖼0123456789abcdef ";
  EXPECT_FALSE(needs_figure(known, known));
  EXPECT_TRUE(needs_figure(known, "如图，求面积 🖼0123456789abcdee "));
  EXPECT_TRUE(needs_figure(known, "如图，求面积"));
  EXPECT_TRUE(
      needs_figure("如图，求面积 🖻0123456789abcdef ", "如图，求面积 🖻0123456789abcdef "));
  EXPECT_TRUE(needs_figure("求面积 🖾 ", "求面积 🖾 "));
}

// As markup/compared writes them behind a plain text.
TEST(MissingParts, ImagesOfAPlainTextAreTheSame) {
  const std::string text = "小红买了10本书，每本5元，一共多少元？";
  const std::string image = "\U000E0812\U000E0FFF\U000E0800\U000E0900\U000E0A00\U000E0801";
  const std::string other = "\U000E0812\U000E0FFF\U000E0800\U000E0900\U000E0A00\U000E0802";
  EXPECT_FALSE(needs_figure(text + image, text + image));
  EXPECT_TRUE(needs_figure(text + image, text + other));
  EXPECT_TRUE(needs_figure(text + image, text));
  EXPECT_TRUE(needs_figure(text, text + image));
  EXPECT_TRUE(needs(text + "\U000E0800"));  // of which nothing tells what it shows
  EXPECT_FALSE(needs("如图，求面积" + image));
  EXPECT_TRUE(needs("如图[图]，求面积" + image));
}

TEST(MissingParts, ALongTextSeldomBelongsToTwoFigures) {
  std::string text = "如图，";
  for (int i = 0; i < 56; ++i) text += "甲";
  EXPECT_TRUE(needs(text));
  EXPECT_FALSE(needs(text + "乙乙"));
  EXPECT_FALSE(needs(text + "乙乙 🖾 "));
  EXPECT_TRUE(needs(text + "乙乙 🖾0123456789abcdef "));  // a formula
  EXPECT_FALSE(
      missing_parts(TextForms("看图"), TextForms("看图"), {.figure_text = 0, .short_text = 0}).needs_figure);
}

TEST(MissingParts, APassageThatFollowsIsThere) {
  std::string text = "阅读短文，";
  EXPECT_TRUE(needs(text));
  for (int i = 0; i < 30; ++i) text += "文";
  EXPECT_FALSE(needs(text));
}

TEST(MissingParts, WhatAnInstructionIsAboutMayFollow) {
  EXPECT_TRUE(needs("把下面的句子改写成反问句，不改变句子的意思"));
  EXPECT_FALSE(needs("把下面的句子改写成反问句：他是我们的朋友。"));
  EXPECT_FALSE(needs("把下列各数从小到大排列 -3，0，2.5，-1"));
  EXPECT_TRUE(needs("将上面的句子改写成反问句"));
  EXPECT_FALSE(needs("小明是一名好学生。将上面的句子改写成反问句"));
}

TEST(MissingParts, MarkedWordsHaveMarks) {
  EXPECT_TRUE(needs("解释黑体字的意思：走马观花，不求甚解，以及其他成语的来历"));
  EXPECT_FALSE(needs("解释黑体字的意思：走\u0332马观花，不求甚解，以及其他成语的来历"));
  EXPECT_TRUE(needs("Choose the word whose underlined part differs: A. cat B. cake"));
  EXPECT_FALSE(needs("停车场要划线20个车位，每个宽2.5米，一共宽多少米？"));
  EXPECT_FALSE(needs("《红字》的作者是美国作家 A.奥尼尔 B.福克纳 C.爱默生 D.霍桑"));
}

TEST(MissingParts, EnglishPointersBeginAClause) {
  EXPECT_TRUE(needs("Look, read and match."));
  EXPECT_TRUE(needs("一、Listen carefully and number the pictures"));
  EXPECT_FALSE(needs("Listen! The baby ____ in the next room."));
  EXPECT_FALSE(needs("She likes to look at the pictures."));
  EXPECT_TRUE(
      needs("Read the passage and choose the best answer to each of the questions from A, B, C and D."));
  EXPECT_FALSE(needs("Read the passage. Once upon a time there lived an old king. He was sad."));
}

TEST(MissingParts, TooLittleIsNoQuestion) {
  for (const std::string text :
       {"", "计算", "选词填空。", "解方程：____", "用简便方法计算下面各题", "3+5", "____"})
    EXPECT_TRUE(is_short(text)) << text;
  for (const std::string text :
       {"在括号里填上合适的数。", "比较大小，在○里填上“>”、“<”或“=”。", "用所给单词的适当形式填空",
        "Fill in the blanks.", "根据要求，Translate the following sentences."})
    EXPECT_TRUE(is_short(text)) << text;
  for (const std::string text :
       {"在括号里填上合适的数：3、6、（ ）", "用“高兴”造句，写出两个句子", "比较分数1/2和1/3的大小",
        "Fill in the blanks: I am a ____.", "什么是近义词和反义词"})
    EXPECT_FALSE(is_short(text)) << text;
  EXPECT_FALSE(is_short("小红买了10本书，共几元？"));
  EXPECT_FALSE(is_short("用简便方法计算 25×4"));
  EXPECT_TRUE(is_too_short("计算", "用简便方法计算 25×4"));
  EXPECT_FALSE(missing_parts(TextForms("计算"), TextForms("计算"), {.short_text = 0}).too_short);
}

// Pairs of tests/refine/missing_parts.tsv.
TEST(MissingParts, PointersAreToldFromWordsThatLookLikeThem) {
  std::ifstream file(QDEDUP_SOURCE_DIR "/tests/refine/missing_parts.tsv");
  std::map<std::string, int> pairs;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream cells(line);
    std::string label;
    std::string question;
    std::string keeper;
    std::getline(std::getline(std::getline(cells, label, '\t'), question, '\t'), keeper, '\t');
    const Contrast result = contrast({question}, {keeper}, {}, {});
    const std::string reasons = ";" + reasons_of(result).text() + ";";
    const bool is_doubted = reasons.find(";needs-figure;") != std::string::npos ||
                            reasons.find(";too-short;") != std::string::npos;
    EXPECT_EQ(is_doubted, label == "doubtful") << question << " / " << keeper;
    ++pairs[label];
  }
  EXPECT_EQ(pairs["doubtful"], 169);
  EXPECT_EQ(pairs["complete"], 105);
}

}  // namespace
}  // namespace qdedup::refine
