#include "import/json_question.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "import/question_reader.h"
#include "tests/support/memory_source.h"
#include "tests/support/question_rows.h"

namespace qdedup::import {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::StartsWith;

std::string parsed(const std::string& line, RowUse use = RowUse::question, const Columns& columns = {}) {
  Row row = {1, {}};
  std::visit([&](auto&& content) { row.content = content; }, parse_json_question(line, use, columns));
  return shown(row);
}

std::vector<std::string> rows_of(const std::string& bytes,
                                 std::size_t max_bytes = LineReader::default_max_bytes) {
  return shown_rows(
      read_lines(LineReader(std::make_unique<MemorySource>(bytes, 7), 0, "memory", max_bytes),
                 [](std::string_view line) { return parse_json_question(line, RowUse::question); }));
}

TEST(JsonQuestion, ReadsIdTextAndAnswer) {
  EXPECT_EQ(parsed(R"({"id":1,"text":"小红买10本书","answer":"3"})"), "1: 1 |小红买10本书|3");
  EXPECT_EQ(parsed(R"( { "answer" : "3" , "text" : "t" , "id" : 1 } )"), "1: 1 |t|3");
  EXPECT_EQ(parsed(R"({"id":1,"text":""})"), "1: 1 ||-");
}

TEST(JsonQuestion, ReadsEscapes) {
  EXPECT_EQ(parsed(R"({"\u0069d":1,"text":"a\"\\\n\u9898\uD83D\uDE00"})"), "1: 1 |a\"\\\n题😀|-");
}

TEST(JsonQuestion, PassesOverOtherKeysWhateverTheyHold) {
  EXPECT_EQ(parsed(R"({"x":{"id":9,"text":"no"},"id":1,"y":[{"id":8}],"text":"t","z":null,"":1.5})"),
            "1: 1 |t|-");
}

TEST(JsonQuestion, OfAKeyThatComesTwiceTheLastCounts) {
  EXPECT_EQ(parsed(R"({"id":1,"id":2,"text":5,"text":"t"})"), "1: 2 |t|-");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","id":[7]})"), "1: id is not an integer from 1 to 2^63-1 ([…])");
}

// Fault 23.
TEST(JsonQuestion, TakesIdsThatAreExactIntegersInRange) {
  EXPECT_EQ(parsed(R"({"id":1,"text":""})"), "1: 1 ||-");
  EXPECT_EQ(parsed(R"({"id":9223372036854775807,"text":""})"), "1: 9223372036854775807 ||-");
  for (const std::string id :
       {"0", "-1", "-0", "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "18446744073709551617", "-9223372036854775808", "1.0", "1.5", "1e3", "true", "null"}) {
    EXPECT_THAT(parsed(R"({"text":"","id":)" + id + "}"),
                StartsWith("1: id is not an integer from 1 to 2^63-1 ("))
        << id;
  }
  EXPECT_EQ(parsed(R"({"id":1.0,"text":""})"), "1: id is not an integer from 1 to 2^63-1 (1.0)");
  EXPECT_EQ(parsed(R"({"id":{"id":1},"text":""})"), "1: id is not an integer from 1 to 2^63-1 ({…})");
}

TEST(JsonQuestion, TakesIdsThatAreStringsOfDigits) {
  EXPECT_EQ(parsed(R"({"id":"7","text":""})"), "1: 7 ||-");
  EXPECT_EQ(parsed(R"({"id":"9223372036854775807","text":""})"), "1: 9223372036854775807 ||-");
  for (const std::string id : {"", "0", "-1", " 7", "7 ", "1.0", "1e3", "x7", "9223372036854775808"}) {
    EXPECT_THAT(parsed(R"({"text":"","id":")" + id + "\"}"),
                StartsWith("1: id is not an integer from 1 to 2^63-1"))
        << id;
  }
}

TEST(JsonQuestion, MissesWhatIsNotThere) {
  EXPECT_EQ(parsed(R"({"text":"t"})"), "1: id is missing");
  EXPECT_EQ(parsed(R"({"ID":1,"text":"t"})"), "1: id is missing");
  EXPECT_EQ(parsed(R"({"id":1})"), "1: text is missing");
  EXPECT_EQ(parsed("{}"), "1: id is missing");
}

TEST(JsonQuestion, TakesNothingElseForText) {
  EXPECT_EQ(parsed(R"({"id":1,"text":7})"), "1: text is not a string (7)");
  EXPECT_EQ(parsed(R"({"id":1,"text":null})"), "1: text is not a string (null)");
  EXPECT_EQ(parsed(R"({"id":1,"text":true})"), "1: text is not a string (true)");
  EXPECT_EQ(parsed(R"({"id":1,"text":[["t"]]})"), "1: text is not a string ([…])");
  EXPECT_EQ(parsed(R"({"id":1,"text":{"a":"t","b":{}}})"), "1: text is not a string ({…})");
  EXPECT_EQ(parsed(R"({"id":1,"text":["a","\u0000"]})"), "1: text contains NUL (?)");
  EXPECT_EQ(parsed(R"({"id":1,"text":"a\u0000b"})"), "1: text contains NUL (a?b)");
}

TEST(JsonQuestion, TakesAStringANumberOrNullForAnswer) {
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":""})"), "1: 1 |t|");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":null})"), "1: 1 |t|-");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":-3})"), "1: 1 |t|-3");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":1.50})"), "1: 1 |t|1.50");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":99999999999999999999})"), "1: 1 |t|99999999999999999999");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":true})"),
            "1: answer is neither a string nor a number (true)");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":{}})"), "1: answer is neither a string nor a number ({…})");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":"\u0000"})"), "1: answer contains NUL (?)");
}

TEST(JsonQuestion, JoinsListsAndObjectsByLineFeeds) {
  EXPECT_EQ(parsed(R"({"id":1,"text":["a",2,"",null,"b"]})"), "1: 1 |a\n2\nb|-");
  EXPECT_EQ(parsed(R"({"id":1,"text":{"stem":"s","B":"b","A":1.50}})"), "1: 1 |s\nB. b\nA. 1.50|-");
  EXPECT_EQ(parsed(R"({"id":1,"text":[]})"), "1: 1 ||-");
  EXPECT_EQ(parsed(R"({"id":1,"text":"old","text":["new"]})"), "1: 1 |new|-");
}

TEST(JsonQuestion, ReadsTheKeysThatAreAskedFor) {
  const Columns columns = {"qid", {"stem", "options", "A", "B"}, "key"};
  const auto of = [&](const std::string& line) { return parsed(line, RowUse::question, columns); };
  EXPECT_EQ(of(R"({"id":2,"qid":1,"stem":"s","text":"no","key":"x","answer":"y"})"), "1: 1 |s|x");
  EXPECT_EQ(of(R"({"qid":"1","options":["x","(B)y","C、z"],"stem":"s"})"), "1: 1 |s\nA. x\n(B)y\nC、z|-");
  EXPECT_EQ(of(R"({"qid":1,"stem":["s","t"],"options":{"A":"x","B":"B．y","else":"z"}})"),
            "1: 1 |s\nt\nA. x\nB．y\nz|-");
  EXPECT_EQ(of(R"({"qid":1,"stem":"s","A":3,"B":"Ball","options":null})"), "1: 1 |s\nA. 3\nB. Ball|-");
  EXPECT_EQ(of(R"({"qid":1,"stem":"","B":"b"})"), "1: 1 |B. b|-");
  EXPECT_EQ(of(R"({"qid":1,"stem":"s","A":true})"), "1: text is not a string (true)");
  EXPECT_EQ(of(R"({"qid":1,"text":"t"})"), "1: text is missing");
  EXPECT_EQ(of(R"({"id":1,"stem":"t"})"), "1: id is missing");
}

TEST(JsonQuestion, MarksNoMoreOptionsThanThereAreLetters) {
  std::string options = R"("x")";
  for (int i = 1; i < 27; ++i) options += R"(,"x")";
  const std::string row = parsed(R"({"id":1,"text":"s","o":[)" + options + "]}", RowUse::question,
                                 {"id", {"text", "o"}, std::nullopt});
  EXPECT_THAT(row, ::testing::EndsWith("\nY. x\nZ. x\nx|-"));
}

TEST(JsonLines, AFieldHasABoundedNumberOfValues) {
  const auto reason_of = [](const std::string& name, std::size_t values) {
    std::string list = "[1";
    for (std::size_t i = 1; i < values; ++i) list += ",1";
    const std::string text = name == "text" ? "" : R"("text":"t",)";
    const auto row =
        parse_json_question("{\"id\":1," + text + "\"" + name + "\":" + list + "]}", RowUse::question);
    const auto* const error = std::get_if<RowError>(&row);
    return error == nullptr ? std::string() : error->reason + ": " + error->detail;
  };
  EXPECT_EQ(reason_of("text", 4096), "");
  EXPECT_EQ(reason_of("text", 4097), "text is not a string: more than 4096 values");
  EXPECT_EQ(reason_of("images", max_images), "");
  EXPECT_EQ(reason_of("images", max_images + 1), "too many images: more than 1000");
}

std::vector<std::string> images_of(const std::string& value) {
  const auto row = parse_json_question(R"({"id":1,"text":"t","images":)" + value + "}", RowUse::question);
  return std::get<Question>(row).images;
}

TEST(JsonQuestion, ReadsWhatFiguresShow) {
  EXPECT_THAT(images_of(R"(["0a","","1b"])"), ElementsAre("0a", "", "1b"));
  EXPECT_THAT(images_of(R"("0a 1b;2c; 3d")"), ElementsAre("0a", "1b", "2c", "3d"));
  EXPECT_THAT(images_of(R"(["a","\u0000",null,7])"), ElementsAre("a", "", "", "7"));
  for (const std::string none : {"null", "7", "true", "[]", "\"\"", R"([{"url":"x"}])", R"({"a":["b"]})"}) {
    EXPECT_THAT(images_of(none), ElementsAre()) << none;
  }
}

// They are stored a line each.
TEST(JsonQuestion, RejectsImagesOfTwoLines) {
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","images":["a","x\ny"]})"), "1: images contain a line feed (x?y)");
}

TEST(JsonQuestion, RejectsWhatIsNotJson) {
  for (const std::string line :
       {"{", "x", R"({"id":1,"text":"t"}})", R"({"id":1,"text":"t"} {"id":2,"text":"t"})",
        R"({"id":1,"text":"t",})", R"({"id":1,"text":"t)", R"({'id':1,'text':'t'})",
        R"({"id":01,"text":"t"})", R"({"id":+1,"text":"t"})", R"({"id":1,"text":"\x"})",
        R"({"id":1,"text":"\uD800"})", "{\"id\":1,\"text\":\"a\tb\"}", R"({"id":1,"text":"t"} // comment)",
        R"({"id":1,"text":"t","x":NaN})"}) {
    EXPECT_THAT(parsed(line), StartsWith("1: not valid JSON (at byte ")) << line;
  }
}

TEST(JsonQuestion, RejectsNulBytesWhereverTheyStand) {
  EXPECT_EQ(parsed("{\"id\":1,\"text\":\"t\"}\0"s), "1: not valid JSON (NUL byte)");
  EXPECT_EQ(parsed("{\"id\":1,\"text\":\"t\0\"}"s), "1: not valid JSON (NUL byte)");
  EXPECT_EQ(parsed("\0"s), "1: not valid JSON (NUL byte)");
}

TEST(JsonQuestion, RejectsWhatIsNoObject) {
  for (const char* line : {"[]", "1", "\"text\"", "null", R"([{"id":1,"text":"t"}])"}) {
    EXPECT_EQ(parsed(line), "1: not a JSON object") << line;
  }
}

// Fault 24.
TEST(JsonQuestion, RejectsWhatIsNotUtf8) {
  EXPECT_EQ(parsed("{\"id\":1,\"text\":\"\xFF\"}"), "1: not UTF-8");
  EXPECT_EQ(parsed("{\"id\":1,\"text\":\"\xE9\xA2\"}"), "1: not UTF-8");
}

// Fault 22.
TEST(JsonQuestion, TakesAnyNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(parsed(R"({"x":)" + deep + R"(,"id":1,"text":"t"})"), "1: 1 |t|-");
  EXPECT_THAT(parsed(std::string(100'000, '[')), StartsWith("1: not valid JSON"));
}

TEST(JsonQuestion, ForIdsNeedsNothingElse) {
  EXPECT_EQ(parsed(R"({"id":1})", RowUse::id), "1: 1 ||-");
  EXPECT_EQ(parsed(R"({"id":1,"text":"t","answer":true})", RowUse::id), "1: 1 ||-");
  EXPECT_EQ(parsed(R"({"id":0})", RowUse::id), "1: id is not an integer from 1 to 2^63-1 (0)");
}

TEST(JsonLines, LosesNothingButTheBadRow) {
  EXPECT_THAT(rows_of("{\"id\":1,\"text\":\"a\"}\nx\n{\"id\":2,\"text\":\"b\"}\n"),
              ElementsAre("1: 1 |a|-", "2: not valid JSON (at byte 1)", "3: 2 |b|-"));
}

// Fault 24.
TEST(JsonLines, PassesOverBlankLinesCarriageReturnsAndAByteOrderMark) {
  EXPECT_THAT(rows_of("\xEF\xBB\xBF{\"id\":1,\"text\":\"a\"}\r\n\r\n \t\n\n{\"id\":2,\"text\":\"b\"}\r\n"),
              ElementsAre("1: 1 |a|-", "5: 2 |b|-"));
}

TEST(JsonLines, PassesOverAByteOrderMarkBeforeAnyRow) {
  const std::string row = "\xEF\xBB\xBF{\"id\":1,\"text\":\"a\"}\n";
  EXPECT_THAT(rows_of(row + row), ElementsAre("1: 1 |a|-", "2: 1 |a|-"));
}

TEST(JsonLines, TakesALastRowWithoutNewline) {
  EXPECT_THAT(rows_of("\n{\"id\":1,\"text\":\"a\"}"), ElementsAre("2: 1 |a|-"));
}

TEST(JsonLines, RejectsARowThatIsTooLongAndKeepsTheNext) {
  const std::string longest = R"({"id":1,"text":"0123456789"})";
  EXPECT_THAT(rows_of(longest + "\n" + longest + " \n" + longest, longest.size()),
              ElementsAre("1: 1 |0123456789|-", "2: row is too long", "3: 1 |0123456789|-"));
}

// A space in front makes no difference, but that the general parser reads the line.
void expect_same_behind_space(const std::string& line) {
  const auto plain = parse_json_question(line, RowUse::question);
  const auto general = parse_json_question(" " + line, RowUse::question);
  ASSERT_EQ(plain.index(), general.index()) << line;
  if (const auto* question = std::get_if<Question>(&plain)) {
    EXPECT_EQ(question->id, std::get<Question>(general).id) << line;
    EXPECT_EQ(question->text, std::get<Question>(general).text) << line;
    EXPECT_EQ(question->answer, std::get<Question>(general).answer) << line;
  } else {
    EXPECT_EQ(std::get<RowError>(plain).reason, std::get<RowError>(general).reason) << line;
  }
}

TEST(JsonQuestion, PlainLinesAreReadLikeOthers) {
  const std::string samples[] = {R"({"id":7,"text":"小明"})",
                                 R"({"id": 9223372036854775807, "text": "a"})",
                                 R"({"id":7,"text":""})",
                                 R"({"id":9223372036854775808,"text":"x"})",
                                 R"({"id":07,"text":"x"})",
                                 R"({"id":7,"text":"x","answer":"y"})",
                                 R"({"id":7,"text":"小明买了10本书，一共 有几本？"})"};
  constexpr std::string_view bytes = "{}[]\",:\\ 01e.-x\t\n\x7f\x80\xe5";
  for (const std::string& sample : samples) {
    expect_same_behind_space(sample);
    for (std::size_t at = 0; at < sample.size(); ++at) {
      expect_same_behind_space(sample.substr(0, at));
      expect_same_behind_space(sample.substr(0, at) + sample.substr(at + 1));
      for (const char byte : bytes) {
        std::string damaged = sample;
        damaged[at] = byte;
        expect_same_behind_space(damaged);
        expect_same_behind_space(sample.substr(0, at) + byte + sample.substr(at));
      }
    }
  }
}

}  // namespace
}  // namespace qdedup::import
