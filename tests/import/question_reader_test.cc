#include "import/question_reader.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command_line_packer.h"
#include "tests/support/memory_source.h"
#include "tests/support/question_rows.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::import {
namespace {

using namespace std::string_literals;

// Fault 23.
TEST(ParseId, TakesIntegersFrom1To2To63Minus1) {
  EXPECT_EQ(parse_id("1"), 1);
  EXPECT_EQ(parse_id("9223372036854775807"), max_question_id);
  EXPECT_EQ(parse_id("007"), 7);
}

TEST(ParseId, NeitherWrapsNorRounds) {
  for (const char* text :
       {"", "0", "-1", "9223372036854775808", "18446744073709551616", "18446744073709551617", "1.5", "1.0",
        "1e3", "+1", " 1", "1 ", "0x1", "one", "1,2", "１"}) {
    EXPECT_EQ(parse_id(text), std::nullopt) << text;
  }
}

TEST(CheckText, TakesAnyUtf8ButNul) {
  EXPECT_FALSE(check_text("").has_value());
  EXPECT_FALSE(check_text("小红买10本书\r\n\t“!”").has_value());
  EXPECT_EQ(check_text("a\0b"s)->reason, "text contains NUL");
  EXPECT_EQ(check_text("a\xFF")->reason, "text is not UTF-8");
  EXPECT_EQ(check_text("\xED\xA0\x80")->reason, "text is not UTF-8");
}

TEST(CheckAnswer, TakesAnyUtf8ButNul) {
  EXPECT_FALSE(check_answer("1½").has_value());
  EXPECT_EQ(check_answer("\0"s)->reason, "answer contains NUL");
  EXPECT_EQ(check_answer("\xC0\x80")->reason, "answer is not UTF-8");
}

TEST(MakeRowError, ShortensTheDetailAtACharacter) {
  EXPECT_EQ(row_error("why", std::string(40, 'x')).detail, std::string(40, 'x'));
  EXPECT_EQ(row_error("why", std::string(41, 'x')).detail, std::string(40, 'x') + "…");
  EXPECT_EQ(row_error("why", "x题题题题题题题题题题题题题题题题").detail, "x题题题题题题题题题题题题题…");
}

TEST(MakeRowError, ReplacesWhatMayNotBePrinted) {
  EXPECT_EQ(row_error("why", "a\nb\x1B[0m\x7F").detail, "a?b?[0m?");
  EXPECT_EQ(row_error("why", "题").detail, "题");
  EXPECT_EQ(row_error("why", "a\xFFz").detail, "a?z");
}

TEST(WithoutBlanks, TakesThemFromBothEnds) {
  EXPECT_EQ(without_blanks(" \ta b\r"), "a b");
  EXPECT_EQ(without_blanks(" \r"), "");
}

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

const std::string jsonl = "{\"id\":1,\"text\":\"a\"}\n";
const std::string csv_row = "id,text\n1,a\n";
const std::string tsv_row = "id\ttext\n1\ta\n";

class OpenQuestions : public ::testing::Test {
 protected:
  std::vector<std::string> rows_of(const std::string& name, const std::string& bytes,
                                   std::optional<QuestionFormat> format = {}) {
    return shown_rows(open_questions(folder_.write(name, bytes), logs::Files(), {.format = format}));
  }

  TemporaryFolder folder_;
};

TEST_F(OpenQuestions, TellsTheFormatByTheName) {
  for (const std::string name : {"a.jsonl", "a.ndjson", "a.json", "A.JSONL"}) {
    EXPECT_THAT(rows_of(name, jsonl), ElementsAre("1: 1 |a|-")) << name;
  }
  EXPECT_THAT(rows_of("a.csv", csv_row), ElementsAre("2: 1 |a|-"));
  for (const std::string name : {"a.tsv", "a.tab"})
    EXPECT_THAT(rows_of(name, tsv_row), ElementsAre("2: 1 |a|-")) << name;
}

TEST_F(OpenQuestions, TellsTheFormatByTheNameBeforeTheFirstLine) {
  EXPECT_THAT(rows_of("a.jsonl", "id,text\n"), ElementsAre("1: not valid JSON (at byte 1)"));
  EXPECT_THAT(rows_of("a.csv", jsonl), ElementsAre(EndsWith("a.csv: header: stray quote")));
}

TEST_F(OpenQuestions, UnpacksWhateverTheNameSays) {
  for (const std::string tool : {"gzip", "zstd -q"}) {
    EXPECT_THAT(rows_of("a.jsonl.gz", packed(tool, jsonl)), ElementsAre("1: 1 |a|-"));
    for (const char* second : {"gzip", "zstd -q", "xz", "bzip2"}) {
      const auto twice = rows_of("a.jsonl.gz", packed(tool, packed(second, jsonl)));
      EXPECT_THAT(twice, ElementsAre(testing::HasSubstr("is packed twice: unpack it once"))) << second;
    }
    EXPECT_THAT(rows_of("a.csv.zst", packed(tool, csv_row)), ElementsAre("2: 1 |a|-"));
    EXPECT_THAT(rows_of("a.tsv", packed(tool, tsv_row)), ElementsAre("2: 1 |a|-"));
    EXPECT_THAT(rows_of("noname", packed(tool, csv_row)), ElementsAre("2: 1 |a|-"));
  }
}

TEST_F(OpenQuestions, TellsTheFormatByTheFirstLineWhereTheNameDoesNot) {
  EXPECT_THAT(rows_of("a.txt", jsonl), ElementsAre("1: 1 |a|-"));
  EXPECT_THAT(rows_of("a.txt", "\xEF\xBB\xBF\n \n " + jsonl), ElementsAre("3: 1 |a|-"));
  EXPECT_THAT(rows_of("a.txt", csv_row), ElementsAre("2: 1 |a|-"));
  EXPECT_THAT(rows_of("a.txt", tsv_row), ElementsAre("2: 1 |a|-"));
}

TEST_F(OpenQuestions, TakesTheFormatThatIsAskedFor) {
  EXPECT_THAT(rows_of("a.csv", jsonl, QuestionFormat::jsonl), ElementsAre("1: 1 |a|-"));
  EXPECT_THAT(rows_of("a.jsonl", csv_row, QuestionFormat::csv), ElementsAre("2: 1 |a|-"));
  EXPECT_THAT(rows_of("a.jsonl", tsv_row, QuestionFormat::tsv), ElementsAre("2: 1 |a|-"));
}

TEST_F(OpenQuestions, FindsNoRowsInAnEmptyFile) {
  EXPECT_THAT(rows_of("a.jsonl", ""), IsEmpty());
  EXPECT_THAT(rows_of("a.txt", ""), IsEmpty());
  EXPECT_THAT(rows_of("a.csv", ""), ElementsAre(EndsWith("a.csv: there is no header")));
}

TEST_F(OpenQuestions, NamesTheFileThatItCannotOpen) {
  const auto missing = open_questions(folder_ / "missing.csv", logs::Files(), {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::no_input);
  EXPECT_EQ(missing.error().message, folder_ / "missing.csv" + ": No such file or directory");
}

TEST_F(OpenQuestions, NamesTheFileThatIsDamagedAfterTheRowsBeforeTheDamage) {
  EXPECT_THAT(rows_of("a.jsonl", packed("gzip", jsonl) + "garbage"),
              ElementsAre("1: 1 |a|-", "error: " + folder_ / "a.jsonl" +
                                           ": damaged gzip data: something else follows the last member"));
}

TEST_F(OpenQuestions, TakesNoRowFromALineThatIsCutOff) {
  const std::string member = packed("gzip", "\n{\"id\":2,\"text\":\"b\"}");
  EXPECT_THAT(rows_of("a.jsonl", packed("gzip", jsonl) + member.substr(0, member.size() - 8)),
              ElementsAre("1: 1 |a|-", "error: " + folder_ / "a.jsonl" + ": the compressed data is cut off"));
}

TEST_F(OpenQuestions, TellsHowFarItHasRead) {
  const auto reader = open_questions(folder_.write("a.csv", csv_row), logs::Files(), {});
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->size(), csv_row.size());
  shown_rows(**reader);
  EXPECT_EQ((*reader)->bytes_read(), csv_row.size());
}

TEST_F(OpenQuestions, ReadsManyRows) {
  std::string bytes;
  for (int id = 1; id <= 100'000; ++id) bytes += "{\"id\":" + std::to_string(id) + ",\"text\":\"题\"}\n";
  const std::vector<std::string> rows = rows_of("a.jsonl", bytes);
  ASSERT_EQ(rows.size(), 100'000U);
  EXPECT_EQ(rows.back(), "100000: 100000 |题|-");
}

// Fault 22.
TEST_F(OpenQuestions, RejectsALineOfSeventeenMebibytesAndKeepsTheNext) {
  EXPECT_THAT(rows_of("a.jsonl", std::string(17U << 20U, 'x') + "\n" + jsonl),
              ElementsAre("1: row is too long", "2: 1 |a|-"));
}

TEST_F(OpenQuestions, ReadsAnArray) {
  const std::string array = "[{\"id\":1,\"text\":\"a\"},\n{\"id\":2,\n\"text\":\"b\"}]\n";
  for (const std::string name : {"a.json", "a.jsonl", "a.txt", "a"}) {
    EXPECT_THAT(rows_of(name, array), ElementsAre("1: 1 |a|-", "2: 2 |b|-")) << name;
  }
  EXPECT_THAT(rows_of("a.csv", array, QuestionFormat::jsonl), ElementsAre("1: 1 |a|-", "2: 2 |b|-"));
  EXPECT_THAT(rows_of("a.json", packed("gzip", array)), ElementsAre("1: 1 |a|-", "2: 2 |b|-"));
  EXPECT_THAT(rows_of("a.json", "[]"), IsEmpty());
}

using LargeOpenQuestions = OpenQuestions;

TEST_F(LargeOpenQuestions, ReadsAnArrayInOneLongLine) {
  const std::string end = ",\"text\":\"" + std::string(200, 'x') + "\"}";
  std::string array = "[{\"id\":1" + end;
  for (int id = 2; id <= 100'000; ++id) array += ", {\"id\":" + std::to_string(id) + end;
  const std::vector<std::string> rows = rows_of("a.json", array + "]");
  ASSERT_EQ(rows.size(), 100'000U);
  EXPECT_EQ(rows.back(), "100000: 100000 |" + std::string(200, 'x') + "|-");
}

TEST_F(OpenQuestions, NamesAnArrayWithoutEnd) {
  EXPECT_THAT(rows_of("a.json", "[{\"id\":1,\"text\":\"a\"},"),
              ElementsAre("1: 1 |a|-", EndsWith("a.json: the JSON array has no end")));
  const std::string whole = packed("gzip", "[{\"id\":1,\"text\":\"a\"},") + packed("gzip", "]");
  EXPECT_THAT(rows_of("b.json", whole.substr(0, whole.size() - 9)),
              ElementsAre("1: 1 |a|-", EndsWith("b.json: the compressed data is cut off")));
}

TEST_F(OpenQuestions, DecodesBeforeItReads) {
  const std::string header = "id,text\n";
  const std::string row = "1,\xD0\xA1\xC3\xF7\n";  // 小明
  const auto read = [&](const std::string& name, const std::string& bytes, const std::string& encoding) {
    return shown_rows(open_questions(folder_.write(name, bytes), logs::Files(), {.encoding = encoding}));
  };
  for (const std::string encoding : {"gb18030", "gbk", "gb2312"}) {
    EXPECT_THAT(read("a.csv", header + row, encoding), ElementsAre("2: 1 |小明|-"));
  }
  EXPECT_THAT(read("a.csv", header + "1,\xFF\n" + row, "gbk"),
              ElementsAre("2: bytes that are no character of the file's encoding (?)", "3: 1 |小明|-"));
  EXPECT_THAT(rows_of("a.csv", header + row),
              ElementsAre(EndsWith("a.csv: seems to be GB18030 (GBK), not UTF-8: read it with --encoding "
                                   "gb18030, or save it as UTF-8")));
  EXPECT_THAT(read("a.csv", header + row, "utf-8"),
              ElementsAre(testing::StartsWith("2: text is not UTF-8 (")));
  const std::string utf16 = "\xFE\xFF\0[\0{\0\"\0i\0d\0\"\0:\0\x37\0,\0\"\0t\0e\0x\0t\0\"\0:\0\"\0\"\0}\0]"s;
  EXPECT_THAT(read("a.json", utf16, "utf-16"), ElementsAre("1: 7 ||-"));
}

class OpenIds : public ::testing::Test {
 protected:
  std::vector<std::string> rows_of(const std::string& name, const std::string& bytes,
                                   std::optional<QuestionFormat> format = {}) {
    return shown_rows(
        open_questions(folder_.write(name, bytes), logs::Files(), {.format = format}, RowUse::id));
  }

  TemporaryFolder folder_;
};

TEST_F(OpenIds, ReadsOneIdALine) {
  EXPECT_THAT(
      rows_of("a.txt", "7\n\n 9223372036854775807\r\nx\n0\n8"),
      ElementsAre("1: 7 ||-", "3: 9223372036854775807 ||-", "4: id is not an integer from 1 to 2^63-1 (x)",
                  "5: id is not an integer from 1 to 2^63-1 (0)", "6: 8 ||-"));
}

TEST_F(OpenIds, ReadsOneIdALineWhateverTheNameSays) {
  EXPECT_THAT(rows_of("ids.csv", "7\n8\n"), ElementsAre("1: 7 ||-", "2: 8 ||-"));
  EXPECT_THAT(rows_of("ids.gz", packed("gzip", "7\n")), ElementsAre("1: 7 ||-"));
}

TEST_F(OpenIds, ReadsQuestionFiles) {
  EXPECT_THAT(rows_of("a.jsonl", "{\"id\":7}\n{\"id\":8,\"text\":\"a\"}\n"),
              ElementsAre("1: 7 ||-", "2: 8 ||-"));
  EXPECT_THAT(rows_of("a.txt", "{\"id\":7}\n"), ElementsAre("1: 7 ||-"));
  EXPECT_THAT(rows_of("a.csv", "text,id\na,7\n"), ElementsAre("2: 7 ||-"));
  EXPECT_THAT(rows_of("a.txt", "id\n7\n"), ElementsAre("2: 7 ||-"));
  EXPECT_THAT(rows_of("a.tsv", "id\tx\n7\ty\n"), ElementsAre("2: 7 ||-"));
  EXPECT_THAT(rows_of("a.txt", "id\n7\n", QuestionFormat::tsv), ElementsAre("2: 7 ||-"));
}

TEST_F(OpenIds, ReadsArrays) {
  EXPECT_THAT(rows_of("a.json", "[7, 8]"), ElementsAre("1: 7 ||-", "2: 8 ||-"));
  EXPECT_THAT(rows_of("a.json", "[{\"id\":\"7\"}]"), ElementsAre("1: 7 ||-"));
}

TEST_F(OpenIds, FindsNoneInAnEmptyFile) {
  EXPECT_THAT(rows_of("a.txt", ""), IsEmpty());
  EXPECT_THAT(rows_of("a.csv", "\n"), IsEmpty());
}

TEST_F(OpenIds, NamesTheFileInErrors) {
  EXPECT_THAT(rows_of("a.txt", "number\n7\n"),
              ElementsAre("error: " + folder_ / "a.txt" + ": the header names no column id, but: number"));
  const auto missing = open_questions(folder_ / "missing", logs::Files(), {}, RowUse::id);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::no_input);
}

TEST(ReadQuestions, ReadsFromMemory) {
  EXPECT_THAT(shown_rows(read_questions({std::make_unique<MemorySource>(csv_row, 1), 0, "memory"})),
              ElementsAre("2: 1 |a|-"));
  EXPECT_THAT(
      shown_rows(read_questions({std::make_unique<MemorySource>("7\n"), 0, "memory"}, {}, RowUse::id)),
      ElementsAre("1: 7 ||-"));
}

}  // namespace
}  // namespace qdedup::import
