#include "import/delimited_reader.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/memory_source.h"
#include "tests/support/question_rows.h"

namespace qdedup::import {
namespace {

using ::testing::ElementsAre;
using Fields = std::vector<std::string>;

Fields csv_fields(std::string_view record) {
  Fields fields = {"left over", "from the record before", "x", "y", "z"};
  const auto error = split_record(record, QuestionFormat::csv, fields);
  if (error) return {error->reason + ": " + error->detail};
  return fields;
}

Fields tsv_fields(std::string_view record) {
  Fields fields = {"left over", "from the record before", "x", "y", "z"};
  split_record(record, QuestionFormat::tsv, fields);
  return fields;
}

TEST(SplitRows, HaveABoundedNumberOfFields) {
  Fields fields;
  EXPECT_FALSE(split_record(std::string(4095, ','), QuestionFormat::csv, fields));
  EXPECT_EQ(fields.size(), 4096U);
  EXPECT_EQ(split_record(std::string(4096, ','), QuestionFormat::csv, fields)->detail, "more than 4096");
  EXPECT_FALSE(split_record(std::string(4095, '\t'), QuestionFormat::tsv, fields));
  EXPECT_EQ(split_record(std::string(4096, '\t'), QuestionFormat::tsv, fields)->detail, "more than 4096");
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

using namespace std::string_literals;
using ::testing::ElementsAre;

std::vector<std::string> rows_of(const std::string& bytes, QuestionFormat format,
                                 RowUse use = RowUse::question,
                                 std::size_t max_bytes = LineReader::default_max_bytes) {
  LineReader lines(std::make_unique<MemorySource>(bytes, 7), 0, "memory", max_bytes);
  return shown_rows(DelimitedReader::open(std::move(lines), format, use));
}

std::vector<std::string> csv(const std::string& bytes) { return rows_of(bytes, QuestionFormat::csv); }
std::vector<std::string> tsv(const std::string& bytes) { return rows_of(bytes, QuestionFormat::tsv); }

TEST(Csv, ReadsIdTextAndAnswer) {
  EXPECT_THAT(csv("id,text,answer\n1,a,x\n2,\"b, c\",\n"), ElementsAre("2: 1 |a|x", "3: 2 |b, c|-"));
}

std::vector<std::string> csv_by(const Columns& columns, const std::string& bytes) {
  LineReader lines(std::make_unique<MemorySource>(bytes, 7), 0, "memory");
  return shown_rows(DelimitedReader::open(std::move(lines), QuestionFormat::csv, RowUse::question, columns));
}

TEST(Csv, ReadsTheColumnsThatAreAskedFor) {
  const Columns columns = {"qid", {"stem", "A", "B", "C"}, "key"};
  EXPECT_THAT(
      csv_by(columns, "id,qid,B,A,stem,C,key,text,answer\n9,1,b,A、a,s,,x,no,no\n2,2,,,\"s\nt\",,,,\n"),
      ElementsAre("2: 1 |s\nA、a\nB. b|x", "3: 2 |s\nt|-"));
  EXPECT_THAT(csv_by({"id", {"A"}, std::nullopt}, "id,A,answer\n1,a,x\n"), ElementsAre("2: 1 |a|x"));
  EXPECT_THAT(csv_by({"id", {"s", "text"}, std::nullopt}, "id,s,text\n1,a,\xFF\n"),
              ElementsAre("2: text is not UTF-8 (?)"));
}

// As of a key of JSON.
TEST(Csv, ReadsAColumnOfTextAsNothingElse) {
  EXPECT_THAT(csv_by({"id", {"text", "answer"}, std::nullopt}, "id,text,answer\n1,a,42\n"),
              ElementsAre("2: 1 |a\n42|-"));
  EXPECT_THAT(csv_by({"id", {"text", "arrived_at"}, std::nullopt}, "id,text,arrived_at\n1,a,never\n"),
              ElementsAre("2: 1 |a\nnever|-"));
}

TEST(Csv, RefusesAColumnThatIsThereTwice) {
  for (const std::string name : {"id", "text", "answer", "images", "arrived_at"}) {
    EXPECT_THAT(csv("id,text,answer,images,arrived_at," + name + "\n1,a,b,,,\n"),
                ElementsAre("error: memory: the header names the column " + name + " twice"));
  }
}

TEST(Csv, MissesColumnsThatAreAskedFor) {
  const auto missing = [](const std::string& name) {
    return ElementsAre("error: memory: the header names no column " + name + ", but: id | text | answer");
  };
  const std::string header = "id,text,answer\n";
  EXPECT_THAT(csv_by({"qid", {"text"}, std::nullopt}, header), missing("qid"));
  EXPECT_THAT(csv_by({"id", {"text", "options"}, std::nullopt}, header), missing("options"));
  EXPECT_THAT(csv_by({"id", {"text"}, "key"}, header), missing("key"));
}

TEST(Csv, ReadsWhatFiguresShow) {
  LineReader lines(std::make_unique<MemorySource>("images,id,text\n 0a; 1b,1,t\n,2,t\n"), 0, "memory");
  const auto reader = DelimitedReader::open(std::move(lines), QuestionFormat::csv, RowUse::question);
  ASSERT_TRUE(reader.ok());
  const auto next = [&] { return std::get<Question>((**(*reader)->next()).content).images; };
  EXPECT_THAT(next(), ElementsAre("0a", "1b"));
  EXPECT_THAT(next(), ElementsAre());
  EXPECT_THAT(csv("images,id,text\nh1 \xFF,3,t\n"), ElementsAre("2: images are not UTF-8 (?)"));
}

TEST(Csv, FindsColumnsByTheHeaderInAnyOrder) {
  EXPECT_THAT(csv("subject,answer,text,\"id\"\nmath,x,a,1\n"), ElementsAre("2: 1 |a|x"));
  EXPECT_THAT(csv("text,id\na,1\n"), ElementsAre("2: 1 |a|-"));
}

TEST(Csv, PassesOverAByteOrderMarkCarriageReturnsAndBlankLines) {
  EXPECT_THAT(csv("\xEF\xBB\xBFid,text\r\n\r\n1,a\r\n\n2,b\r\n"), ElementsAre("3: 1 |a|-", "5: 2 |b|-"));
  EXPECT_THAT(csv("\n\nid,text\n1,a"), ElementsAre("4: 1 |a|-"));
}

TEST(Csv, KeepsAnEmptyText) {
  EXPECT_THAT(csv("id,text\n1,\n2,\"\"\n"), ElementsAre("2: 1 ||-", "3: 2 ||-"));
}

TEST(Csv, ReadsTextsThatGoOverLines) {
  EXPECT_THAT(csv("id,text\n1,\"a\nb\n\nc\"\n2,\"d\r\ne\"\r\n3,f\n"),
              ElementsAre("2: 1 |a\nb\n\nc|-", "6: 2 |d\r\ne|-", "8: 3 |f|-"));
}

TEST(Csv, ReadsAHeaderThatGoesOverLines) {
  EXPECT_THAT(csv("id,\"a\nb\",text\n1,x,y\n"), ElementsAre("3: 1 |y|-"));
}

TEST(Csv, NeedsAHeader) {
  EXPECT_THAT(csv(""), ElementsAre("error: memory: there is no header"));
  EXPECT_THAT(csv("\n\n"), ElementsAre("error: memory: there is no header"));
  EXPECT_THAT(csv("1,a\n"), ElementsAre("error: memory: the header names no column id, but: 1 | a"));
  EXPECT_THAT(csv("id,Text\n1,a\n"),
              ElementsAre("error: memory: the header names no column text, but: id | Text"));
  EXPECT_THAT(csv("\x1B]0;title\x07,n\xC3\xA9\n"),
              ElementsAre("error: memory: the header names no column id, but: ?]0;title? | n\xC3\xA9"));
  EXPECT_THAT(csv("id,text,id\n"), ElementsAre("error: memory: the header names the column id twice"));
  EXPECT_THAT(csv("answer,id,text,answer\n"),
              ElementsAre("error: memory: the header names the column answer twice"));
  EXPECT_THAT(csv("id,\"text\n1,a\n"), ElementsAre("error: memory: header: quote is not closed"));
}

TEST(Csv, OtherColumnsMayHaveTheSameName) {
  EXPECT_THAT(csv("x,id,x,text\n,1,,a"), ElementsAre("2: 1 |a|-"));
}

TEST(Csv, TheErrorOfAHeaderIsAboutData) {
  const auto reader = DelimitedReader::open(LineReader(std::make_unique<MemorySource>("a,b\n"), 0, "memory"),
                                            QuestionFormat::csv, RowUse::question);
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code, ErrorCode::data);
}

TEST(Csv, RejectsARowWithAnotherNumberOfFields) {
  EXPECT_THAT(csv("id,text\n1\n2,b,c\n3,d\n"),
              ElementsAre("2: wrong number of fields (1 instead of 2)",
                          "3: wrong number of fields (3 instead of 2)", "4: 3 |d|-"));
}

// Fault 23.
TEST(Csv, RejectsIdsThatAreNoIntegersInRange) {
  EXPECT_THAT(csv("id,text\n0,a\n-1,a\n9223372036854775808,a\n1.5,a\n\"7\",a\n,a\n 8,a\n"),
              ElementsAre("2: id is not an integer from 1 to 2^63-1 (0)",
                          "3: id is not an integer from 1 to 2^63-1 (-1)",
                          "4: id is not an integer from 1 to 2^63-1 (9223372036854775808)",
                          "5: id is not an integer from 1 to 2^63-1 (1.5)", "6: 7 |a|-", "7: id is missing",
                          "8: id is not an integer from 1 to 2^63-1 ( 8)"));
}

// Fault 24.
TEST(Csv, RejectsBadTextsAndAnswersAndPassesOverOtherColumns) {
  EXPECT_THAT(csv("id,text,answer,x\n1,\xFF,,\n2,a,\xFF,\n3,a,,\xFF\n4,a\0b,,\n5,a,\0,\n"s),
              ElementsAre("2: text is not UTF-8 (?)", "3: answer is not UTF-8 (?)", "4: 3 |a|-",
                          "5: text contains NUL (a?b)", "6: answer contains NUL (?)"));
}

TEST(Csv, LosesOnlyTheLineOfAStrayQuote) {
  EXPECT_THAT(csv("id,text\n1,5\" pipe\n2,\"b\"x\n3,c\n"),
              ElementsAre("2: stray quote (5\" pipe)", "3: stray quote (b\"x)", "4: 3 |c|-"));
}

TEST(Csv, LosesOnlyTheFirstLineOfAQuoteThatIsNotClosed) {
  EXPECT_THAT(csv("id,text\n1,a\n2,\"b\n3,c\n4,d"),
              ElementsAre("2: 1 |a|-", "3: quote is not closed (b)", "4: 3 |c|-", "5: 4 |d|-"));
}

TEST(Csv, LosesOnlyTheFirstLineOfAQuoteThatAnotherRowCloses) {
  EXPECT_THAT(csv("id,text\n1,\"a\n2,b\n3,\"c\"\n4,d\n"),
              ElementsAre("2: quote is not closed (a)", "3: 2 |b|-", "4: 3 |c|-", "5: 4 |d|-"));
}

TEST(Csv, LosesOnlyTheFirstLineOfAQuoteThatIsClosedAmissInAnotherRow) {
  EXPECT_THAT(csv("id,text\n1,\"a\n2,\"b\n3,c\n"),
              ElementsAre("2: stray quote (a?2,\"b)", "3: quote is not closed (b)", "4: 3 |c|-"));
}

TEST(Csv, ReadsOnAfterARowThatIsTooLong) {
  EXPECT_THAT(
      rows_of("id,text\n1,0123456789\n2,a\n3,\"0\n1\n23456789\"\n4,b\n", QuestionFormat::csv,
              RowUse::question, 10),
      ElementsAre("2: row is too long", "3: 2 |a|-", "4: row is too long",
                  "5: wrong number of fields (1 instead of 2)", "6: stray quote (23456789\")", "7: 4 |b|-"));
}

TEST(Csv, ForIdsNeedsNoOtherColumn) {
  EXPECT_THAT(rows_of("id\n1\n\n2\n", QuestionFormat::csv, RowUse::id), ElementsAre("2: 1 ||-", "4: 2 ||-"));
  EXPECT_THAT(rows_of("text,id\n\xFF,1\n", QuestionFormat::csv, RowUse::id), ElementsAre("2: 1 ||-"));
  EXPECT_THAT(rows_of("text,id,text\na,1,b\n", QuestionFormat::csv, RowUse::id), ElementsAre("2: 1 ||-"));
  EXPECT_THAT(rows_of("text\na\n", QuestionFormat::csv, RowUse::id),
              ElementsAre("error: memory: the header names no column id, but: text"));
}

TEST(Tsv, ReadsIdTextAndAnswer) {
  EXPECT_THAT(tsv("id\ttext\tanswer\n1\ta, b\tx\r\n2\t\t\n"), ElementsAre("2: 1 |a, b|x", "3: 2 ||-"));
}

TEST(Tsv, KnowsNeitherQuotesNorEscapes) {
  EXPECT_THAT(tsv("id\ttext\n1\t\"a\n2\tb\\tc\\n\n3\t\"d\"\n"),
              ElementsAre("2: 1 |\"a|-", "3: 2 |b\\tc\\n|-", "4: 3 |\"d\"|-"));
}

TEST(Tsv, RejectsARowWithAnotherNumberOfFields) {
  EXPECT_THAT(tsv("id\ttext\n1 a\n2\tb\tc\n"), ElementsAre("2: wrong number of fields (1 instead of 2)",
                                                           "3: wrong number of fields (3 instead of 2)"));
}

std::string in_quotes(const std::string& text) {
  std::string cell = "\"";
  for (const char character : text) cell += character == '"' ? "\"\"" : std::string(1, character);
  return cell + "\"";
}

// What RFC 4180 can write comes back as it was, a bad row among the good ones loses nothing else.
TEST(CsvRandom, ReadsBackWhatWasWritten) {
  std::mt19937_64 random(5);
  const std::vector<std::string> pieces = {"a",  "题", "\"", "\"\"", ",", "\n", "\r\n",
                                           "\r", "\t", " ",  "1",    "=", "😀"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = random() % 2 == 0 ? "id,text,answer\n" : "\xEF\xBB\xBFid,text,answer\r\n";
    std::vector<std::string> expected;
    std::size_t line = 2;
    for (std::size_t count = random() % 10; count > 0; --count) {
      std::string text;
      for (std::size_t length = random() % 8; length > 0; --length) text += pieces[random() % pieces.size()];
      const auto id = static_cast<QuestionId>(random() >> 1U) | 1;
      const std::string row = std::to_string(id) + "," + in_quotes(text) + "," + in_quotes(text);
      const std::optional<std::string> answer = text.empty() ? std::nullopt : std::optional(text);
      expected.push_back(shown({line, Question{id, text, answer}}));
      bytes += row + (random() % 2 == 0 ? "\n" : "\r\n");
      line += 1 + 2 * static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
      if (random() % 4 == 0) {
        bytes += "0,bad,row\n";
        expected.push_back(shown({line++, RowError{"id is not an integer from 1 to 2^63-1", "0"}}));
      }
    }
    ASSERT_EQ(csv(bytes), expected);
  }
}

}  // namespace
}  // namespace qdedup::import
