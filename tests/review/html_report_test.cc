#include "review/html_report.h"

#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
