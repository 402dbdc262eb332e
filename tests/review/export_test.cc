#include "review/export.h"

#include <cstddef>
#include <fstream>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/review/failing_output.h"
#include "tests/review/sample_list.h"

namespace qdedup::review {
namespace {

const std::string columns =
    "iteration,delete_id,keep_id,similarity,distance,length,confidence,reasons,risk,status,decision,note,"
    "delete_"
    "text,"
    "keep_text";

std::string exported(std::vector<DeletionEntry> entries, ExportFormat format) {
  std::ostringstream out;
  EXPECT_TRUE(export_list(stream_of(std::move(entries)), format, out).ok());
  return out.str();
}

DeletionEntry full_entry() {
  auto entry = sample_pair(1'589'879'284, "keep", "delete");
  entry.keeper.id = 1'380'777'178;
  entry.row.confidence = refine::Confidence::doubtful;
  entry.row.reasons = refine::Reasons("opposite words;answers differ");
  entry.row.status = db::DeletionStatus::approved;
  entry.row.note = "seen";
  return entry;
}

TEST(ExportCsv, HeaderComesAfterTheByteOrderMark) {
  EXPECT_EQ(exported({}, ExportFormat::csv), "\xEF\xBB\xBF" + columns + "\r\n");
}

TEST(ExportCsv, RowHasEveryColumnAndAnEmptyDecision) {
  EXPECT_EQ(exported({full_entry()}, ExportFormat::csv),
            "\xEF\xBB\xBF" + columns +
                "\r\n7,1589879284,1380777178,80.00,1,5,doubtful,opposite words;answers "
                "differ,0.0123,approved,,seen,delete,"
                "keep\r\n");
}

TEST(ExportCsv, EveryTextCellIsGuardedAndQuoted) {
  auto entry = full_entry();
  entry.row.reasons = refine::Reasons("-a");
  entry.row.note = "=1,2";
  entry.question.text = "\r\n\"x\"";
  entry.keeper.text = "@a";
  const auto csv = exported({entry}, ExportFormat::csv);
  EXPECT_EQ(csv.substr(csv.find("doubtful")),
            "doubtful,'-a,0.0123,approved,,\"'=1,2\",\"'\r\n\"\"x\"\"\",\"'@a\"\r\n");
}

TEST(ExportTsv, HeaderAndRows) {
  EXPECT_EQ(exported({full_entry()}, ExportFormat::tsv),
            "iteration\tdelete_id\tkeep_"
            "id\tsimilarity\tdistance\tlength\tconfidence\treasons\trisk\tstatus\tdecision\tnote\t"
            "delete_text\tkeep_text\n"
            "7\t1589879284\t1380777178\t80.00\t1\t5\tdoubtful\topposite words;answers "
            "differ\t0.0123\tapproved\t\tseen\tdelete\t"
            "keep\n");
}

TEST(ExportTsv, TabsAndLineEndsBecomeSpacesAndFormulasAreGuarded) {
  const auto tsv = exported({sample_pair(2, "=\"a\",b", "a\tb\nc\r\nd")}, ExportFormat::tsv);
  EXPECT_TRUE(tsv.ends_with("\t\t\ta b c  d\t'=\"a\",b\n")) << tsv;
}

TEST(ExportJsonl, KeysInOrderNumbersAsNumbers) {
  EXPECT_EQ(
      exported({full_entry()}, ExportFormat::jsonl),
      R"({"iteration":7,"delete_id":1589879284,"keep_id":1380777178,"similarity":80.00,"distance":1,)"
      R"("length":5,"confidence":"doubtful","reasons":"opposite words;answers differ","risk":0.0123,"status":"approved",)"
      R"("decision":"","note":"seen","delete_text":"delete","keep_text":"keep"})"
      "\n");
}

TEST(ExportJsonl, EmptyListIsEmpty) { EXPECT_EQ(exported({}, ExportFormat::jsonl), ""); }

TEST(ExportJsonl, InvalidUtf8IsReplaced) {
  const auto json =
      nlohmann::json::parse(exported({sample_pair(2, "a\xFF", "\xE9\xA2")}, ExportFormat::jsonl));
  EXPECT_EQ(json["keep_text"], "a\uFFFD");
  EXPECT_EQ(json["delete_text"], "\uFFFD");
}

TEST(Export, GreatestIdsStayExact) {
  auto entry = sample_entry(std::numeric_limits<QuestionId>::max());
  entry.keeper.id = entry.question.id - 1;
  const auto json = nlohmann::json::parse(exported({entry}, ExportFormat::jsonl));
  EXPECT_EQ(json["delete_id"].get<std::int64_t>(), 9'223'372'036'854'775'807);
  EXPECT_EQ(json["keep_id"].get<std::int64_t>(), 9'223'372'036'854'775'806);
}

TEST(Export, RowsKeepTheOrderOfTheStream) {
  std::istringstream lines(
      exported({sample_entry(2), sample_entry(3), sample_entry(5)}, ExportFormat::jsonl));
  std::vector<QuestionId> ids;
  for (std::string line; std::getline(lines, line);) ids.push_back(nlohmann::json::parse(line)["delete_id"]);
  EXPECT_EQ(ids, (std::vector<QuestionId>{2, 3, 5}));
}

TEST(Export, ErrorOfTheStreamIsPassedOn) {
  std::ostringstream out;
  const auto written = export_list(broken_stream(), ExportFormat::csv, out);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::internal);
  EXPECT_EQ(written.error().message, "bank: broken");
}

class ExportOutput : public testing::TestWithParam<ExportFormat> {};

TEST_P(ExportOutput, ThatEndsAnywhereIsAnIoError) {
  const auto size = exported({sample_entry(2)}, GetParam()).size();
  for (std::size_t capacity = 0; capacity < size; ++capacity) {
    FailingOutput buffer(capacity);
    std::ostream out(&buffer);
    const auto written = export_list(stream_of({sample_entry(2)}), GetParam(), out);
    ASSERT_FALSE(written.ok()) << capacity;
    EXPECT_EQ(written.error().code, ErrorCode::io);
  }
}

TEST_P(ExportOutput, OnAFullDiskIsAnIoErrorEvenWhenAllFitsTheBuffer) {
  std::ofstream out("/dev/full");
  const auto written = export_list(stream_of({sample_entry(2)}), GetParam(), out);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::io);
}

INSTANTIATE_TEST_SUITE_P(Formats, ExportOutput,
                         testing::Values(ExportFormat::csv, ExportFormat::tsv, ExportFormat::jsonl));

TEST(CsvCell, PlainTextStaysAsItIs) {
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("今天空气温度为10度"), "今天空气温度为10度");
  EXPECT_EQ(csv_cell(" a b "), " a b ");
}

TEST(CsvCell, CommaIsQuoted) { EXPECT_EQ(csv_cell("a,b"), "\"a,b\""); }
TEST(CsvCell, LineFeedIsQuoted) { EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\""); }
TEST(CsvCell, CarriageReturnIsQuoted) { EXPECT_EQ(csv_cell("a\rb"), "\"a\rb\""); }
TEST(CsvCell, QuoteIsQuotedAndDoubled) { EXPECT_EQ(csv_cell("\"a\" b"), "\"\"\"a\"\" b\""); }
// Programs that split there too would take what follows for a cell of its own, and perhaps for a formula.
TEST(CsvCell, WhatOthersSplitAtIsQuoted) {
  for (const char* text : {"a;=1", "a\t=1", "a|=1", "'=1", "a'"}) {
    EXPECT_EQ(csv_cell(text), '"' + std::string(text) + '"');
  }
}
TEST(CsvCell, LoneQuote) { EXPECT_EQ(csv_cell("\""), "\"\"\"\""); }

TEST(FormulaGuard, GoesBeforeEachStarter) {
  EXPECT_EQ(without_formula("=1+1"), "'=1+1");
  EXPECT_EQ(without_formula("+1"), "'+1");
  EXPECT_EQ(without_formula("-1"), "'-1");
  EXPECT_EQ(without_formula("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(without_formula("\t=1"), "'\t=1");
  EXPECT_EQ(without_formula("\r=1"), "'\r=1");
  for (const char* sign : {"＝", "＋", "－", "＠"}) {
    EXPECT_EQ(without_formula(sign + std::string("1")), "'" + (sign + std::string("1")));
  }
}

TEST(FormulaGuard, GoesBeforeWhiteSpaceThatAStarterFollows) {
  for (const char* text :
       {" =1", "\n=1", " \v\f+1", "\u00A0-1", "\u3000＝1", "\u2003=1", "\uFEFF@1", " \u200B-1"}) {
    EXPECT_EQ(without_formula(text), "'" + std::string(text));
  }
}

TEST(FormulaGuard, LeavesAllElseAlone) {
  EXPECT_EQ(without_formula(""), "");
  EXPECT_EQ(without_formula("1=1"), "1=1");
  EXPECT_EQ(without_formula(" 1=1"), " 1=1");
  EXPECT_EQ(without_formula("\n1"), "\n1");
  EXPECT_EQ(without_formula("'quoted'"), "'quoted'");
  EXPECT_EQ(without_formula("一－1"), "一－1");
}

TEST(FormulaGuard, StandsBeforeAQuotationMarkInTsv) {
  EXPECT_EQ(without_formula("\"=1\"", '\t'), "'\"=1\"");
  EXPECT_EQ(without_formula("\"=1\"", ','), "\"=1\"");
}

TEST(FormulaGuard, IsTakenOffACellThatWasTypedByHand) { EXPECT_EQ(without_guard("'=1"), "=1"); }

// Of all texts of up to six of these.
TEST(FormulaGuard, IsTakenOffAgainExactly) {
  std::vector<std::string> texts = {""};
  for (std::size_t begin = 0, length = 0; length < 6; ++length) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const char* next : {"'", "=", "＝", " ", "\n", "a"}) texts.push_back(texts[begin] + next);
    }
  }
  for (const std::string& text : texts) {
    ASSERT_EQ(without_guard(without_formula(text)), text);
    ASSERT_EQ(without_guard(without_formula(text, '\t'), '\t'), text);
  }
}

TEST(Output, TakesBytesAsTheyAre) {
  std::ostringstream out;
  EXPECT_TRUE(write_bytes(out, std::string_view("a\0\xFF", 3)).ok());
  EXPECT_TRUE(flush(out).ok());
  EXPECT_EQ(out.str(), std::string("a\0\xFF", 3));
}

TEST(Output, ThatFailedBeforeIsAnIoError) {
  std::ostringstream out;
  out.setstate(std::ios::failbit);
  EXPECT_EQ(write_bytes(out, "a").error().code, ErrorCode::io);
  EXPECT_EQ(flush(out).error().code, ErrorCode::io);
}

TEST(Output, ThatThrowsIsAnIoError) {
  FailingOutput buffer(0);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  EXPECT_EQ(write_bytes(out, "a").error().code, ErrorCode::io);
}

}  // namespace
}  // namespace qdedup::review
