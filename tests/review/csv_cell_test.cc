#include "review/csv_cell.h"

#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

TEST(CsvCell, PlainTextStaysAsItIs) {
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("今天空气温度为10度"), "今天空气温度为10度");
  EXPECT_EQ(csv_cell(" a;b\tc' "), " a;b\tc' ");
}

TEST(CsvCell, CommaIsQuoted) { EXPECT_EQ(csv_cell("a,b"), "\"a,b\""); }
TEST(CsvCell, LineFeedIsQuoted) { EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\""); }
TEST(CsvCell, CarriageReturnIsQuoted) { EXPECT_EQ(csv_cell("a\rb"), "\"a\rb\""); }
TEST(CsvCell, QuoteIsQuotedAndDoubled) { EXPECT_EQ(csv_cell("\"a\" b"), "\"\"\"a\"\" b\""); }
TEST(CsvCell, LoneQuote) { EXPECT_EQ(csv_cell("\""), "\"\"\"\""); }

TEST(FormulaGuard, GoesBeforeEachStarter) {
  EXPECT_EQ(without_formula("=1+1"), "'=1+1");
  EXPECT_EQ(without_formula("+1"), "'+1");
  EXPECT_EQ(without_formula("-1"), "'-1");
  EXPECT_EQ(without_formula("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(without_formula("\t=1"), "'\t=1");
  EXPECT_EQ(without_formula("\r=1"), "'\r=1");
}

TEST(FormulaGuard, LeavesAllElseAlone) {
  EXPECT_EQ(without_formula(""), "");
  EXPECT_EQ(without_formula("1=1"), "1=1");
  EXPECT_EQ(without_formula(" =1"), " =1");
  EXPECT_EQ(without_formula("\n=1"), "\n=1");
  EXPECT_EQ(without_formula("'quoted'"), "'quoted'");
  EXPECT_EQ(without_formula("－1"), "－1");
}

TEST(FormulaGuard, IsTakenOffAgain) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "", "1=1", "'quoted'", "'"}) {
    EXPECT_EQ(without_guard(without_formula(text)), text);
  }
}

}  // namespace
}  // namespace qdedup::review
