#include "review/pair_view.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/fingerprints.h"
#include "tests/review/sample_list.h"

namespace qdedup::review {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string shown(const DeletionEntry& entry) {
  Html html;
  append_pair(html, 1'234, entry);
  return std::string(html.view());
}

std::string text_block(const std::string& html) {
  return R"(<p class="text" lang="zh" dir="auto">)" + html + "</p>";
}

const std::string gone = R"(<p class="gone">No text: this question is empty, or left the bank.</p>)";

TEST(PairView, DifferingCharactersAreMarkedOnTheirSide) {
  const auto html = shown(sample_pair(2, "小红买10本书", "小明买10本书"));
  EXPECT_THAT(html, HasSubstr("Keep <b>1</b></h4>" + text_block("小<ins>红</ins>买10本书")));
  EXPECT_THAT(html, HasSubstr("Delete <b>2</b></h4>" + text_block("小<del>明</del>买10本书")));
}

TEST(PairView, WhatOneTextLacksIsMarkedInTheOtherOnly) {
  const auto html = shown(sample_pair(2, "今天空气温度为10度", "今天的空气温度为10度"));
  EXPECT_THAT(html, HasSubstr(text_block("今天空气温度为10度")));
  EXPECT_THAT(html, HasSubstr(text_block("今天<del>的</del>空气温度为10度")));
}

TEST(PairView, LineFeedsStayAndShowWhereTheyDiffer) {
  const auto html = shown(sample_pair(2, "甲\n乙", "甲\n乙\n\n丙"));
  EXPECT_THAT(html, HasSubstr(text_block("甲\n乙")));
  EXPECT_THAT(html,
              HasSubstr(text_block(
                  "甲\n乙<del><span class=\"newline\">\n</span><span class=\"newline\">\n</span>丙</del>")));
}

TEST(PairView, EqualTextsAreSaidToBeTheSame) {
  const auto html = shown(sample_pair(2, "题", "题"));
  EXPECT_THAT(html, HasSubstr("<li>same text</li>"));
  EXPECT_THAT(html, Not(HasSubstr("<ins>")));
  EXPECT_THAT(html, Not(HasSubstr("<del>")));
}

TEST(PairView, QuestionThatLeftTheBankIsSaidToBeGone) {
  EXPECT_THAT(shown(sample_pair(2, "", "乙")), HasSubstr("Keep <b>1</b></h4>" + gone));
  EXPECT_THAT(shown(sample_pair(2, "", "乙")), HasSubstr("Delete <b>2</b></h4>" + text_block("乙")));
  EXPECT_THAT(shown(sample_pair(2, "甲", "")), HasSubstr("Keep <b>1</b></h4>" + text_block("甲")));
  EXPECT_THAT(shown(sample_pair(2, "甲", "")), HasSubstr("Delete <b>2</b></h4>" + gone));
}

TEST(PairView, TwoGoneQuestionsAreNotTheSameText) {
  const auto html = shown(sample_pair(2, "", ""));
  EXPECT_THAT(html, HasSubstr("Keep <b>1</b></h4>" + gone));
  EXPECT_THAT(html, HasSubstr("Delete <b>2</b></h4>" + gone));
  EXPECT_THAT(html, Not(HasSubstr("same text")));
}

// A pair of a bank whose markup was read.
std::string drawn(const std::string& keeper, const std::string& question) {
  DeletionEntry entry = sample_pair(2, "", "");
  const markup::Options options{.markup = markup::Reading::automatic};
  entry.keeper = db::bank_question(1, keeper, std::nullopt, options);
  entry.question = db::bank_question(2, question, "$\\frac12$", options);
  Html html;
  append_pair(html, 1, entry, true);
  return std::string(html.view());
}

TEST(PairView, FormulasAndTablesAreDrawn) {
  const auto html = drawn("<p>若$x^2$</p>", "<table><tr><td>若</td><td>$x^2$</td></tr></table>");
  const std::string power = "<math><msup><mi>x</mi><mrow><mn>2</mn></mrow></msup></math>";
  EXPECT_THAT(html, HasSubstr(R"(<div class="text drawn" lang="zh" dir="auto">若)" + power + "</div>"));
  EXPECT_THAT(html, HasSubstr("<table><tr><td>若</td><td>" + power + "</td></tr></table></div>"));
  EXPECT_THAT(html, HasSubstr(R"(dir="auto"><math><mfrac><mrow><mn>1</mn></mrow>)"));
}

TEST(PairView, WhatDiffersInAFormulaIsMarkedAsAWhole) {
  const auto html = drawn("若$\\frac{13}{2}$", "若$\\frac{14}{2}$");
  EXPECT_THAT(html, HasSubstr(R"(<mrow><mn class="ins">13</mn></mrow>)"));
  EXPECT_THAT(html, HasSubstr(R"(<mrow><mn class="del">14</mn></mrow>)"));
  EXPECT_THAT(drawn("若$x^2$", "若$x_2$"), HasSubstr(R"(<msub><mi>x</mi><mrow class="del">)"));
  EXPECT_THAT(drawn("若$\\text{甲乙}$", "若$\\text{甲丙}$"), HasSubstr("<mtext>甲<del>丙</del></mtext>"));
}

TEST(PairView, FiguresHaveTheirNames) {
  const auto html =
      drawn("求<img src=\"a/cone1.png\">[图]", "求<img src=\"data:image/png;base64,AAAA\">[图]");
  EXPECT_THAT(
      html,
      HasSubstr(R"(<ins><span class="figure">figure cone1</span></ins><span class="figure">figure</span>)"));
  EXPECT_THAT(html, HasSubstr(R"(<del><span class="figure">figure</span></del>)"));
}

TEST(PairView, OriginalsAreThereToLookAt) {
  EXPECT_THAT(
      drawn("<p>题</p>", "题"),
      HasSubstr(R"(<details class="original"><summary>Original text</summary><p lang="zh" dir="auto">)"
                "&lt;p&gt;题&lt;/p&gt;</p></details></section>"));
  EXPECT_THAT(shown(sample_pair(2, "题", "题")), Not(HasSubstr("details")));
}

TEST(PairView, NothingOfAQuestionBecomesAnElement) {
  const std::string hostile =
      "<script>alert(1)</script><img src=x onerror=alert(1)><math "
      "href=javascript:alert(1)><mi>&lt;b&gt;</mi></math>"
      "$\\text{<svg onload=alert(1)>}\\frac{</math><b>}{2}$<table><tr><td onclick=alert(1)>1</table>";
  const auto html = drawn(hostile, "求" + hostile);
  for (const char* tag :
       {"<script", "<img", "<svg", "<b>alert", "<b>}", "onerror=alert(1)>", "<math h", "<td o"}) {
    EXPECT_THAT(html, Not(HasSubstr(tag)));
  }
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));  // in the original
}

TEST(PairView, FactsStandInTheHeading) {
  auto entry = sample_entry(42);
  entry.row.confidence = refine::Confidence::doubtful;
  entry.row.status = db::DeletionStatus::rejected;
  const auto html = shown(entry);
  EXPECT_THAT(html, HasSubstr(R"(<article class="pair doubtful" id="q42">)"));
  EXPECT_THAT(html, HasSubstr(R"(<a href="#q42">Pair 1,234</a>)"));
  EXPECT_THAT(html, HasSubstr("<b>80.00 %</b> similar, distance 1 of 5</p>"));
  EXPECT_THAT(html, HasSubstr(R"(<li class="confidence">doubtful</li><li class="risk">risk 1.23 %</li>)"));
  EXPECT_THAT(html, HasSubstr(R"(<p class="status">rejected</p>)"));
}

TEST(PairView, ReasonsAreListedOneByOne) {
  auto entry = sample_entry(2);
  entry.row.reasons = refine::Reasons("opposite words;;answers differ;");
  EXPECT_THAT(shown(entry), HasSubstr("<li>opposite words</li><li>answers differ</li></ul>"));
}

TEST(PairView, NoteIsShownOnlyWhereThereIsOne) {
  auto entry = sample_entry(2);
  EXPECT_THAT(shown(entry), Not(HasSubstr("Note")));
  entry.row.note = "<seen>";
  EXPECT_THAT(shown(entry), HasSubstr(R"(<b>Note</b> <span dir="auto">&lt;seen&gt;</span>)"));
}

}  // namespace
}  // namespace qdedup::review
