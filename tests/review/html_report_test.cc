#include "review/html_report.h"

#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "db/fingerprints.h"
#include "tests/review/failing_output.h"
#include "tests/review/hostile_text.h"
#include "tests/review/python_script.h"
#include "tests/review/sample_list.h"

namespace qdedup::review {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

constexpr std::uint64_t every_pair = UINT64_MAX;

ReportHeader sample_header() {
  db::IterationRecord iteration;
  iteration.id = 7;
  iteration.finished_at = "2026-11-20T03:00:12Z";
  iteration.version = "0.1.0";
  iteration.cluster_sizes = {{2, 2'900}, {7, 3}, {200, 20}};
  return {iteration,
          false,
          {{"min_top_score", "0.5"}, {"similarity", "levenshtein"}},
          {{"mine", "lines", 60'000}, {"mine", "selected", 20'276}, {"refine", "deletions", 1'591}}};
}

std::string report(const ReportHeader& header, std::vector<DeletionEntry> entries, std::uint64_t max_pairs) {
  std::ostringstream out;
  EXPECT_TRUE(write_html_report(header, streams_of(std::move(entries)), max_pairs, out).ok());
  return out.str();
}

// What Python reads in the report.
Json parsed_report(const ReportHeader& header, std::vector<DeletionEntry> entries) {
  return read_by_python("read_html.py", report(header, std::move(entries), every_pair));
}

std::vector<DeletionEntry> entries_of_distances(const std::vector<std::uint64_t>& distances) {
  std::vector<DeletionEntry> entries;
  for (const auto distance : distances) {
    entries.push_back(sample_entry(static_cast<QuestionId>(entries.size()) + 2));
    entries.back().row.distance = distance;
    entries.back().row.length = 100;
  }
  return entries;
}

std::vector<DeletionEntry> hostile_entries() {
  std::mt19937_64 random(20261121);
  std::vector<DeletionEntry> entries;
  for (QuestionId id = 2; id < 200; ++id) {
    auto entry = sample_pair(id, hostile_text(random), hostile_text(random));
    entry.row.note = hostile_text(random);
    entry.row.reasons = refine::Reasons(hostile_text(random));
    entries.push_back(std::move(entry));
  }
  return entries;
}

ReportHeader hostile_header() {
  std::mt19937_64 random(20261122);
  auto header = sample_header();
  header.iteration.finished_at = hostile_text(random) + "<b>";
  header.iteration.version = hostile_text(random) + "<b>";
  for (int i = 0; i < 50; ++i) header.settings.emplace_back(hostile_text(random), hostile_text(random));
  for (std::uint64_t i = 0; i < 50; ++i)
    header.counts.push_back({hostile_text(random), hostile_text(random), i});
  return header;
}

Json text_or_gone(const std::string& text) { return text.empty() ? Json() : Json(text); }

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

TEST(HtmlReport, IsWellFormedAndNamed) {
  const auto page = parsed_report(sample_header(), {sample_entry(2)});
  EXPECT_EQ(page["title"], "Deletion list of iteration 7");
  EXPECT_EQ(page["dangling"], Json::array());
}

TEST(HtmlReport, SaysWhenAndByWhatItWasMade) {
  const auto html = report(sample_header(), {}, every_pair);
  EXPECT_THAT(html, HasSubstr("Finished 2026-11-20 03:00:12 UTC"));
  EXPECT_THAT(html, HasSubstr("Written by qdedup 0.1.0"));
}

TEST(HtmlReport, TimeOfAnotherFormStaysAsItIs) {
  auto header = sample_header();
  header.iteration.finished_at = "yesterday";
  EXPECT_THAT(report(header, {}, every_pair), HasSubstr("Finished yesterday<"));
}

TEST(HtmlReport, PolicyAllowsItsOwnStyleAndNothingElse) {
  const auto page = parsed_report(sample_header(), {sample_entry(2)});
  EXPECT_EQ(page["policy"], "default-src 'none'; style-src '" + page["style_hash"].get<std::string>() +
                                "'; base-uri 'none'; form-action 'none'");
}

TEST(HtmlReport, StepsShowEveryCount) {
  const auto page = parsed_report(sample_header(), {});
  EXPECT_EQ(page["tables"]["From log lines to deletions"], Json::parse(R"([
      ["Step", "Count of", "Number", ""],
      ["mine", "lines", "60,000", ""],
      ["selected", "20,276", ""],
      ["refine", "deletions", "1,591", ""]])"));
}

TEST(HtmlReport, SettingsAreShown) {
  const auto page = parsed_report(sample_header(), {});
  EXPECT_EQ(page["tables"]["What the iteration ran with"], Json::parse(R"([
      ["Setting", "Value"], ["min_top_score", "0.5"], ["similarity", "levenshtein"]])"));
}

TEST(HtmlReport, SimilarityIsCountedFromTheLowestPercentToAHundred) {
  const auto page = parsed_report(sample_header(), entries_of_distances({0, 0, 0, 1, 3, 3}));
  EXPECT_EQ(
      page["tables"]["Deletions by similarity, in whole percent; 100 is equal in all Chinese characters"],
      Json::parse(R"([["Percent", "Deletions", ""], ["97", "2", ""], ["98", "0", ""], ["99", "1", ""],
                            ["100", "3", ""]])"));
}

TEST(HtmlReport, ClustersAreCountedBySize) {
  const auto page = parsed_report(sample_header(), {});
  EXPECT_EQ(page["tables"]["Clusters by size, in questions"], Json::parse(R"([
      ["Questions", "Clusters", ""], ["2", "2,900", ""], ["3", "0", ""], ["4", "0", ""], ["5–9", "3", ""],
      ["10–19", "0", ""], ["20–49", "0", ""], ["50–99", "0", ""], ["100–199", "0", ""],
      ["200 and more", "20", ""]])"));
}

TEST(HtmlReport, ConfidenceAndStatusAreSummedUp) {
  auto entries = entries_of_distances({0, 0, 0});
  entries[1].row.status = db::DeletionStatus::approved;
  entries[2].row.confidence = refine::Confidence::doubtful;
  const auto page = parsed_report(sample_header(), entries);
  EXPECT_EQ(page["tables"]["Deletions by confidence and status"], Json::parse(R"([
      ["Confidence", "approved", "pending", "all"],
      ["doubtful", "0", "1", "1"], ["safe", "1", "1", "2"], ["all", "1", "2", "3"]])"));
}

TEST(HtmlReport, PairsStandInTheOrderOfTheList) {
  const auto page = parsed_report(sample_header(), {sample_entry(2), sample_pair(5, "甲\n乙", "甲乙")});
  ASSERT_EQ(page["pairs"].size(), 2U);
  EXPECT_EQ(page["pairs"][0]["id"], "q2");
  EXPECT_EQ(page["pairs"][0]["ins"], Json::array({"红"}));
  EXPECT_EQ(page["pairs"][0]["del"], Json::array({"明"}));
  EXPECT_EQ(page["pairs"][1]["id"], "q5");
  EXPECT_EQ(page["pairs"][1]["texts"], Json::array({"甲\n乙", "甲乙"}));
}

TEST(HtmlReport, AllPairsAreSaidToBeShown) {
  EXPECT_THAT(report(sample_header(), entries_of_distances({0, 1}), 2), HasSubstr("All 2 pairs"));
}

TEST(HtmlReport, PairsBeyondTheLimitAreCountedAndLeftOut) {
  const auto html = report(sample_header(), entries_of_distances({0, 1, 2, 3, 4}), 2);
  EXPECT_THAT(html, HasSubstr("The first 2 of 5 pairs"));
  EXPECT_THAT(html, HasSubstr("<strong>3 are left out</strong>"));
  EXPECT_THAT(html, HasSubstr("id=\"q3\""));
  EXPECT_THAT(html, Not(HasSubstr("id=\"q4\"")));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">96</th>"));
}

TEST(HtmlReport, LimitOfNothingShowsNoPair) {
  const auto html = report(sample_header(), entries_of_distances({0, 1}), 0);
  EXPECT_THAT(html, HasSubstr("<strong>2 are left out</strong>"));
  EXPECT_THAT(html, Not(HasSubstr("<article")));
}

TEST(HtmlReport, EmptyListSaysSo) {
  const auto html = report({}, {}, every_pair);
  EXPECT_THAT(html, HasSubstr("there is nothing to delete"));
  EXPECT_THAT(html, HasSubstr("No deletions."));
  EXPECT_THAT(html, HasSubstr("No clusters."));
  EXPECT_TRUE(read_by_python("read_html.py", html).is_object());
}

TEST(HtmlReport, HostileTextsAreShownWholeAndUnchanged) {
  const auto entries = hostile_entries();
  const auto page = parsed_report(hostile_header(), entries);
  ASSERT_EQ(page["pairs"].size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& pair = page["pairs"][i];
    EXPECT_EQ(pair["texts"],
              Json::array({text_or_gone(entries[i].keeper.text), text_or_gone(entries[i].question.text)}));
    EXPECT_EQ(pair["status"], name(entries[i].row.status));
    if (!entries[i].row.note.empty()) {
      EXPECT_EQ(pair["note"], "Note " + entries[i].row.note);
    }
  }
}

TEST(HtmlReport, HostileTextsBringNoTagAttributeOrLink) {
  const auto page = parsed_report(hostile_header(), hostile_entries());
  EXPECT_THAT(page["tags"].get<std::vector<std::string>>(),
              IsSubsetOf({"a",     "article", "b",      "body",     "caption", "dd",    "del",     "details",
                          "div",   "dl",      "dt",     "fieldset", "footer",  "h1",    "h2",      "h3",
                          "h4",    "head",    "header", "html",     "input",   "ins",   "label",   "legend",
                          "li",    "main",    "meta",   "nav",      "p",       "rect",  "section", "small",
                          "span",  "strong",  "style",  "summary",  "svg",     "table", "tbody",   "td",
                          "tfoot", "th",      "thead",  "title",    "tr",      "ul"}));
  EXPECT_THAT(page["attributes"].get<std::vector<std::string>>(),
              IsSubsetOf({"aria-hidden", "aria-label", "charset", "checked", "class", "content", "dir",
                          "href", "http-equiv", "id", "lang", "name", "rowspan", "scope", "type", "width"}));
  EXPECT_EQ(page["dangling"], Json::array());
}

TEST(HtmlReport, ErrorOfTheFirstRunIsPassedOn) {
  std::ostringstream out;
  const auto status = write_html_report(sample_header(), broken_stream, every_pair, out);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "bank: broken");
}

TEST(HtmlReport, ErrorOfTheSecondRunIsPassedOn) {
  std::ostringstream out;
  const auto restart = [first = true]() mutable {
    return std::exchange(first, false) ? stream_of({sample_entry(2), sample_entry(3)}) : broken_stream();
  };
  const auto status = write_html_report(sample_header(), restart, every_pair, out);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "bank: broken");
}

TEST(HtmlReport, OutputThatEndsAnywhereIsAnIoError) {
  const auto size = report(sample_header(), {sample_entry(2)}, every_pair).size();
  for (std::size_t capacity = 0; capacity < size; capacity += 97) {
    FailingOutput buffer(capacity);
    std::ostream out(&buffer);
    const auto status = write_html_report(sample_header(), streams_of({sample_entry(2)}), every_pair, out);
    ASSERT_FALSE(status.ok()) << capacity;
    EXPECT_EQ(status.error().code, ErrorCode::io);
  }
}

TEST(HtmlReport, OutputThatCannotBeFlushedIsAnIoError) {
  UnflushableOutput buffer;
  std::ostream out(&buffer);
  const auto status = write_html_report(sample_header(), streams_of({sample_entry(2)}), every_pair, out);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace qdedup::review
