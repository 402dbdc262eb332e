#include "spark/draft.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/wrong_numbers.h"

namespace qdedup::spark {
namespace {

using testing::HasSubstr;

refine::AnnotatedDeletion row(QuestionId question, QuestionId keeper) {
  return {question,
          keeper,
          1,
          10,
          refine::Confidence::doubtful,
          refine::Reasons("negation;polarity:多/少"),
          refine::Risk(77),
          ~std::uint64_t{0},
          5};
}

std::vector<std::string> some_draft() {
  std::vector<std::string> lines = {
      line_of(DraftHead{"run", true, {{"version", "1"}}, 100, 2}),
      present_line(7, ~std::uint64_t{0}, std::nullopt),
      present_line(8, 5, DraftQuestion{8, "甲", std::nullopt, "<p>甲", std::nullopt}),
      line_of(MinedLakeLog{{"a.log", 10, "ab"}, {6, 3, 1, {{"blank", 1}, {"bad_json", 1}}, 0}}),
      line_of(MergeSummary{"run.1", {3, 2, 5, 3, 1, 2, 3}, {{2, 1}, {3, 1}}, 2, 1}),
  };
  refine::AnnotatedOutcome outcome;
  outcome.deletions = {row(9, 1), row(10, 1)};
  outcome.repointed = {row(12, 1)};
  outcome.missing = 2;
  for (const std::string& line :
       lines_of(outcome, {{1, "一", "2", {}, {}}, {9, "二", {}, {}, "<b>"}}, 0, "run.1"))
    lines.push_back(line);
  outcome = {};
  outcome.further = {row(20, 11)};
  outcome.held = 1;
  for (const std::string& line : lines_of(outcome, {}, 1, "run.1")) lines.push_back(line);
  return lines;
}

Result<Draft> read(const std::vector<std::string>& lines) {
  DraftReader reader;
  for (const std::string& line : lines) QDEDUP_TRY(reader.take(line));
  return std::move(reader).finish();
}

TEST(Draft, IsReadAsItWasWrittenInAnyOrder) {
  std::vector<std::string> lines = some_draft();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::rotate(lines.begin(), lines.begin() + 1, lines.end());
    const Result<Draft> draft = read(lines);
    ASSERT_TRUE(draft.ok()) << draft.error().message;
    EXPECT_EQ(draft->head.questions, 100U);
    EXPECT_TRUE(draft->head.is_sweep);
    EXPECT_EQ(draft->merge.counts, (miner::MergeCounts{3, 2, 5, 3, 1, 2, 3}));
    EXPECT_EQ(draft->outcome.deletions, (std::vector{row(9, 1), row(10, 1)}));
    EXPECT_EQ(draft->outcome.repointed, (std::vector{row(12, 1)}));
    EXPECT_EQ(draft->outcome.further, (std::vector{row(20, 11)}));
    EXPECT_EQ(draft->outcome.missing, 2U);
    EXPECT_EQ(draft->outcome.held, 1U);
    EXPECT_EQ(draft->logs.at(0).totals.rejected.at("bad_json"), 1U);
    EXPECT_EQ(draft->present.at(7), ~std::uint64_t{0});
    EXPECT_EQ(draft->questions.at(8).original_text, "<p>甲");
    EXPECT_EQ(draft->questions.at(9).original_answer, "<b>");
  }
}

TEST(Draft, WithALineMissingOrTwiceIsRefused) {
  const std::vector<std::string> lines = some_draft();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(read(fewer).ok()) << lines[i];
    std::vector<std::string> more = lines;
    more.push_back(lines[i]);
    EXPECT_FALSE(read(more).ok()) << lines[i];
  }
}

// A few packed bytes may repeat a line without end.
TEST(Draft, WithARowTwiceIsRefusedAtOnce) {
  for (const std::string& line : some_draft()) {
    const nlohmann::json fields = nlohmann::json::parse(line);
    if (fields.contains("qdedup_spark_draft") || fields.contains("merge") || fields.contains("bucket"))
      continue;
    DraftReader reader;
    EXPECT_TRUE(reader.take(line).ok()) << line;
    EXPECT_THAT(reader.take(line).error().message, HasSubstr("there twice"));
  }
}

TEST(Draft, OfTwoMergesIsRefused) {
  std::vector<std::string> lines = some_draft();
  lines.resize(lines.size() - 2);
  refine::AnnotatedOutcome outcome;
  outcome.further = {row(20, 11)};
  for (const std::string& line : lines_of(outcome, {}, 1, "run.2")) lines.push_back(line);
  EXPECT_THAT(read(lines).error().message, HasSubstr("bucket 1 is of another run"));
}

TEST(Draft, SaysWhatIsWrongWithABucket) {
  const std::vector<std::string> lines = some_draft();
  const auto error_of = [](const std::vector<std::string>& read_lines) {
    return read(read_lines).error().message;
  };
  std::vector<std::string> wrong = lines;
  wrong.pop_back();
  EXPECT_THAT(error_of(wrong), HasSubstr("bucket 1 has 0 summaries"));
  wrong.push_back(lines.back());
  wrong.push_back(lines.back());
  EXPECT_THAT(error_of(wrong), HasSubstr("bucket 1 has 2 summaries"));
  wrong = lines;
  wrong.erase(wrong.end() - 2);
  EXPECT_THAT(error_of(wrong), HasSubstr("rows of bucket 1 are missing, or there twice"));
}

TEST(Draft, WithWrongRowsIsRefused) {
  DraftReader reader;
  for (const char* line : {"", "{", "[]", "{}", R"({"deletion":[0,1,9,0,1,"safe","",0,1,1,false]})",
                           R"({"deletion":[0,9,1,0,1,"sure","",0,1,1,false]})", R"({"log":"a"})"}) {
    EXPECT_FALSE(reader.take(line).ok()) << line;
  }
}

TEST(Draft, WithANumberThatIsNoWholeOneIsRefused) {
  std::size_t tried = 0;
  for (const std::string& line : some_draft()) {
    for (const std::string& wrong : with_wrong_numbers(line)) {
      DraftReader reader;
      EXPECT_FALSE(reader.take(wrong).ok()) << wrong;
      ++tried;
    }
  }
  EXPECT_GE(tried, 150U);
}

TEST(LogsToTake, AreNewOnesOnceWithLines) {
  const auto log = [](const std::string& path, const std::string& content, std::uint64_t lines = 1) {
    return MinedLakeLog{{path, 10, content}, {lines, lines, 0, {}, 0}};
  };
  const auto taken =
      logs_to_take({log("c", "2"), log("b", "2"), log("a", "1"), log("e", "0", 0), log("d", "3")},
                   {{"old", 10, "1"}, {"d", 9, "3"}});
  ASSERT_TRUE(taken.ok());
  ASSERT_EQ(taken->size(), 1U);
  EXPECT_EQ(taken->front().log.path, "b");
  EXPECT_THAT(logs_to_take({log("d", "4")}, {{"d", 9, "3"}}).error().message, HasSubstr("other content"));
}

}  // namespace
}  // namespace qdedup::spark
