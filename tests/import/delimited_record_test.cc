#include "import/delimited_record.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace qdedup::import {
namespace {

using ::testing::ElementsAre;
using Fields = std::vector<std::string>;

Fields csv_fields(std::string_view record) {
  Fields fields = {"left over", "from the record before", "x", "y", "z"};
  const auto error = split_csv(record, fields);
  if (error) return {error->reason + ": " + error->detail};
  return fields;
}

Fields tsv_fields(std::string_view record) {
  Fields fields = {"left over", "from the record before", "x", "y", "z"};
  split_tsv(record, fields);
  return fields;
}

TEST(SplitCsv, SplitsAtCommas) {
  EXPECT_THAT(csv_fields("a,b c,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(csv_fields("a"), ElementsAre("a"));
  EXPECT_THAT(csv_fields(" a , b "), ElementsAre(" a ", " b "));
}

TEST(SplitCsv, KeepsEmptyFields) {
  EXPECT_THAT(csv_fields(""), ElementsAre(""));
  EXPECT_THAT(csv_fields(","), ElementsAre("", ""));
  EXPECT_THAT(csv_fields("a,,"), ElementsAre("a", "", ""));
  EXPECT_THAT(csv_fields("\"\",\"\""), ElementsAre("", ""));
}

TEST(SplitCsv, TakesQuotesOff) {
  EXPECT_THAT(csv_fields(R"("a","b,c","d")"), ElementsAre("a", "b,c", "d"));
  EXPECT_THAT(csv_fields(R"("a ""b"" c","""","""""")"), ElementsAre(R"(a "b" c)", "\"", "\"\""));
  EXPECT_THAT(csv_fields("\"a\nb\",\"c\r\nd\""), ElementsAre("a\nb", "c\r\nd"));
}

TEST(SplitCsv, DropsOneCarriageReturnAtTheEnd) {
  EXPECT_THAT(csv_fields("a,b\r"), ElementsAre("a", "b"));
  EXPECT_THAT(csv_fields("a,\"b\"\r"), ElementsAre("a", "b"));
  EXPECT_THAT(csv_fields("a,b\r\r"), ElementsAre("a", "b\r"));
  EXPECT_THAT(csv_fields("a\r,b"), ElementsAre("a\r", "b"));
}

TEST(SplitCsv, RejectsAQuoteInAFieldThatDoesNotBeginWithOne) {
  EXPECT_THAT(csv_fields(R"(a,5" pipe,c)"), ElementsAre(R"(stray quote: 5" pipe)"));
  EXPECT_THAT(csv_fields(R"(a, "b")"), ElementsAre(R"(stray quote:  "b")"));
  EXPECT_THAT(csv_fields("a\""), ElementsAre("stray quote: a\""));
}

TEST(SplitCsv, RejectsWhatFollowsAClosingQuote) {
  EXPECT_THAT(csv_fields(R"("a"b,c)"), ElementsAre(R"(stray quote: a"b,c)"));
  EXPECT_THAT(csv_fields(R"("a" ,c)"), ElementsAre(R"(stray quote: a" ,c)"));
}

TEST(SplitCsv, RejectsAQuoteThatIsNotClosed) {
  EXPECT_THAT(csv_fields("a,\"b"), ElementsAre("quote is not closed: b"));
  EXPECT_THAT(csv_fields("\""), ElementsAre("quote is not closed: "));
  EXPECT_THAT(csv_fields(R"("a"")"), ElementsAre("quote is not closed: a\""));
}

TEST(SplitTsv, SplitsAtTabsAndLeavesTheRestAlone) {
  EXPECT_THAT(tsv_fields("a\tb,c\t\"d\""), ElementsAre("a", "b,c", "\"d\""));
  EXPECT_THAT(tsv_fields("a\\tb\t\""), ElementsAre("a\\tb", "\""));
  EXPECT_THAT(tsv_fields("a\tb\r"), ElementsAre("a", "b"));
  EXPECT_THAT(tsv_fields("\t\t"), ElementsAre("", "", ""));
  EXPECT_THAT(tsv_fields(""), ElementsAre(""));
}

}  // namespace
}  // namespace qdedup::import
