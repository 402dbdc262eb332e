#include "miner/line_parser.h"

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/question_id.h"

namespace qdedup::miner {

std::ostream& operator<<(std::ostream& out, Rejection rejection) { return out << name(rejection); }
std::ostream& operator<<(std::ostream& out, const ScoredId& pair) {
  return out << '[' << pair.id << ',' << pair.score << ']';
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::string_view_literals;

struct Row {
  std::string_view line;
  Rejection reason;
};

std::optional<Rejection> reject(LineFormat format, std::string_view pointer, std::string_view line) {
  std::vector<ScoredId> pairs;
  return LineParser::create(format, pointer)->parse(line, pairs);
}

std::optional<Rejection> reject_array(std::string_view line) { return reject(LineFormat::array, "", line); }

std::optional<Rejection> reject_object(std::string_view line) {
  return reject(LineFormat::object, "/results", line);
}

std::vector<ScoredId> pairs_of(std::string_view line, LineFormat format = LineFormat::array,
                               std::string_view pointer = "/results") {
  std::vector<ScoredId> pairs = {{99, 9.9}};  // parse replaces what was there
  const std::optional<Rejection> rejection = LineParser::create(format, pointer)->parse(line, pairs);
  EXPECT_EQ(rejection, std::nullopt) << line;
  return pairs;
}

TEST(LineParserArray, ReadsTheExampleOfTheRules) {
  EXPECT_THAT(pairs_of("[[1380777178,0.306],[1589879284,0.303]]"),
              ElementsAre(ScoredId{1380777178, 0.306}, ScoredId{1589879284, 0.303}));
}

TEST(LineParserArray, TakesWhiteSpaceAnywhere) {
  EXPECT_THAT(pairs_of(" [ [ 1 , 0.5 ] ,\t[ 2 , 0.25 ] ] \r"),
              ElementsAre(ScoredId{1, 0.5}, ScoredId{2, 0.25}));
}

TEST(LineParserArray, TakesEveryFormOfNumberAsScore) {
  EXPECT_THAT(pairs_of("[[1,7],[2,-0.5],[3,25e-2],[4,1E3],[5,0.1234567890123456789]]"),
              ElementsAre(ScoredId{1, 7}, ScoredId{2, -0.5}, ScoredId{3, 0.25}, ScoredId{4, 1000},
                          ScoredId{5, 0.1234567890123456789}));
}

TEST(LineParserArray, TakesTheLargestId) {
  EXPECT_THAT(pairs_of("[[9223372036854775807,1]]"), ElementsAre(ScoredId{max_question_id, 1}));
}

TEST(LineParserArray, AnEmptyArrayIsAListWithoutPairs) { EXPECT_THAT(pairs_of("[]"), IsEmpty()); }

TEST(LineParserArray, KeepsRepeatedIdsAndTheirOrder) {
  EXPECT_THAT(pairs_of("[[2,0.5],[1,0.9],[2,0.5]]"),
              ElementsAre(ScoredId{2, 0.5}, ScoredId{1, 0.9}, ScoredId{2, 0.5}));
}

// Fault 22: nesting 100,000 deep.
TEST(LineParserFaults, DeepNestingIsOneRejection) {
  EXPECT_EQ(reject_array(std::string(100000, '[')), Rejection::too_deep);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(reject_array(objects), Rejection::too_deep);
  EXPECT_EQ(reject_object(objects), Rejection::too_deep);
}

TEST(LineParserFaults, NestingUpToTheLimitIsFine) {
  const std::string open(max_nesting - 1, '[');
  const std::string close(max_nesting - 1, ']');
  EXPECT_THAT(pairs_of(R"({"x":)" + open + close + R"(,"results":[[1,0.5]]})", LineFormat::object),
              ElementsAre(ScoredId{1, 0.5}));
  EXPECT_EQ(reject_object(R"({"x":[)" + open + close + R"(],"results":[[1,0.5]]})"), Rejection::too_deep);
}

// Fault 23: ids 0, -1, 2^63, 2^64, 1.5, "7".
TEST(LineParserFaults, BadIds) {
  for (const std::string id :
       {"0", "-1", "-0", "9223372036854775808", "18446744073709551616", "18446744073709551617", "1.5", "1.0",
        "1e3", "\"7\"", "null", "true", "[]", "{}", "1e999"}) {
    EXPECT_EQ(reject_array("[[" + id + ",0.5]]"), Rejection::bad_id) << id;
    EXPECT_EQ(reject_array("[[1,0.5],[" + id + ",0.5],[2]]"), Rejection::bad_id) << id;
  }
}

// Fault 23: scores NaN, 1e999, missing.
TEST(LineParserFaults, BadScores) {
  for (const std::string score : {"1e999", "-1e999", "null", "\"0.5\"", "true", "[]", "{}", "[0.5]"}) {
    EXPECT_EQ(reject_array("[[1," + score + "]]"), Rejection::bad_score) << score;
  }
  EXPECT_EQ(reject_array("[[1,NaN]]"), Rejection::bad_json);  // JSON has no NaN
  EXPECT_EQ(reject_array("[[1,Infinity]]"), Rejection::bad_json);
  EXPECT_EQ(reject_array("[[1]]"), Rejection::bad_pair);
}

// Fault 24.
TEST(LineParserFaults, OneOutcomeForEachOddity) {
  const Row rows[] = {
      {"", Rejection::blank},
      {" \t\r", Rejection::blank},
      {"\r", Rejection::blank},
      {"\xEF\xBB\xBF", Rejection::blank},
      {"[[1,0.5]]\0"sv, Rejection::nul_byte},
      {"[[1,\0000.5]]"sv, Rejection::nul_byte},
      {"[[1,0.5]] \xff", Rejection::bad_utf8},
      {"\xff[[1,0.5]]", Rejection::bad_utf8},
      {"[[1,0.5]] [[2,0.4]]", Rejection::trailing_data},
      {"[[1,0.5]][[2,0.4]]", Rejection::trailing_data},
      {"[[1,0.5]]\xEF\xBB\xBF", Rejection::trailing_data},
      {" \xEF\xBB\xBF[[1,0.5]]", Rejection::bad_json},
  };
  for (const Row& row : rows) EXPECT_EQ(reject_array(row.line), row.reason) << row.line;
  EXPECT_THAT(pairs_of("[[1,0.5]]\r"), ElementsAre(ScoredId{1, 0.5}));
  EXPECT_THAT(pairs_of("\xEF\xBB\xBF[[1,0.5]]"), ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserFaults, WhatIsNotJson) {
  for (const std::string_view line :
       {"[",          "[[",         "[[1",        "[[1,",      "[[1,0.5",           "[[1,0.5]",
        "[[1,0.5],",  "[[1,0.5],]", "[[1,0.5]}",  "[[1 0.5]]", "[[1,0.5] [2,0.4]]", "[[,0.5]]",
        "[[1,]]",     "[[01,0.5]]", "[[+1,0.5]]", "[[1,.5]]",  "[[1,1.]]",          "[[1,00.5]]",
        "[[1,+0.5]]", "[[1,0x1]]",  "[[1,-]]",    "[[1,1e]]",  "INFO started",      "]",
        "\xC3\xA9",   "['a']",      "[[1,0.5]],,"}) {
    const auto expected = line == "[[1,0.5]],," ? Rejection::trailing_data : Rejection::bad_json;
    EXPECT_EQ(reject_array(line), expected) << line;
  }
}

TEST(LineParserFaults, WhatIsNotAListOfPairs) {
  const Row rows[] = {
      {"{}", Rejection::not_a_list},
      {R"({"results":[[1,0.5]]})", Rejection::not_a_list},
      {"7", Rejection::not_a_list},
      {"null", Rejection::not_a_list},
      {"\"[[1,0.5]]\"", Rejection::not_a_list},
      {"[1,0.5]", Rejection::bad_pair},
      {"[null]", Rejection::bad_pair},
      {"[[]]", Rejection::bad_pair},
      {"[[1]]", Rejection::bad_pair},
      {"[[1,0.5,2]]", Rejection::bad_pair},
      {"[[[1,0.5]]]", Rejection::bad_pair},
      {R"([{"id":1,"score":0.5}])", Rejection::bad_pair},
      {"[[1,0.5],[]]", Rejection::bad_pair},
  };
  for (const Row& row : rows) EXPECT_EQ(reject_array(row.line), row.reason) << row.line;
}

TEST(LineParserFaults, FirstByteThatDoesNotFitDecides) {
  const Row rows[] = {
      {"[[1,0.5]] x\0"sv, Rejection::trailing_data},
      {"[[1,0.5]]\0 x"sv, Rejection::nul_byte},
      {"x\0"sv, Rejection::bad_json},
      {"x\xff", Rejection::bad_json},
      {"\xff\0"sv, Rejection::bad_utf8},
      {"😀", Rejection::bad_json},
      {"\xF0\x9F\x98", Rejection::bad_utf8},
      {"[\"\0\xff\"]"sv, Rejection::nul_byte},
      {"[\"\xff\0\"]"sv, Rejection::bad_utf8},
      {"[\"\xe5\xb0\"]", Rejection::bad_utf8},
      {"[\"\xe5\xb0", Rejection::bad_utf8},
      {"[\"\x01\xff\"]", Rejection::bad_json},
      {"[\"\xed\xa0\x80\"]", Rejection::bad_utf8},
      {"[\"\xc0\x80\"]", Rejection::bad_utf8},
      {"[\"\xf4\x90\x80\x80\"]", Rejection::bad_utf8},
  };
  for (const Row& row : rows) EXPECT_EQ(reject_array(row.line), row.reason) << row.line;
}

TEST(LineParserFaults, JsonComesBeforePairs) {
  EXPECT_EQ(reject_array("[[\"7\",0.5]"), Rejection::bad_json);
  EXPECT_EQ(reject_array("[[0,0.5]] []"), Rejection::trailing_data);
}

TEST(LineParserFaults, FirstPairAtFaultDecides) {
  EXPECT_EQ(reject_array("[[1,null],[0,1],[]]"), Rejection::bad_score);
  EXPECT_EQ(reject_array("[[0,1],[1,null],[]]"), Rejection::bad_id);
  EXPECT_EQ(reject_array("[[],[0,1],[1,null]]"), Rejection::bad_pair);
}

TEST(LineParserFaults, InAPairShapeComesBeforeIdBeforeScore) {
  EXPECT_EQ(reject_array("[[0,null,1]]"), Rejection::bad_pair);
  EXPECT_EQ(reject_array("[[\"7\"]]"), Rejection::bad_pair);
  EXPECT_EQ(reject_array("[[0,null]]"), Rejection::bad_id);
}

TEST(LineParserObject, ReadsTheListAtThePointer) {
  EXPECT_THAT(pairs_of(R"({"q":"小明","results":[[1,0.5],[2,0.4]],"took":3})", LineFormat::object),
              ElementsAre(ScoredId{1, 0.5}, ScoredId{2, 0.4}));
  EXPECT_THAT(pairs_of(R"({"data":[{"hits":[[1,0.5]]}]})", LineFormat::object, "/data/0/hits"),
              ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserObject, TheEmptyPointerIsTheWholeLine) {
  EXPECT_THAT(pairs_of("[[1,0.5]]", LineFormat::object, ""), ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserObject, OfMembersWithTheSameNameTheLastCounts) {
  EXPECT_THAT(pairs_of(R"({"results":7,"results":[[1,0.5]]})", LineFormat::object),
              ElementsAre(ScoredId{1, 0.5}));
  EXPECT_EQ(reject_object(R"({"results":[[1,0.5]],"results":7})"), Rejection::not_a_list);
}

TEST(LineParserObject, PassesOverNumbersBeyondADouble) {
  EXPECT_THAT(pairs_of(R"({"x":1e999,"results":[[1,0.5]]})", LineFormat::object),
              ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserObject, RejectsWithTheReason) {
  const Row rows[] = {
      {"{}", Rejection::no_results},
      {R"({"Results":[]})", Rejection::no_results},
      {"[[1,0.5]]", Rejection::no_results},
      {"7", Rejection::no_results},
      {R"({"results":null})", Rejection::not_a_list},
      {R"({"results":{}})", Rejection::not_a_list},
      {R"({"results":[7]})", Rejection::bad_pair},
      {R"({"results":[[0,1]]})", Rejection::bad_id},
      {R"({"results":[[1,"x"]]})", Rejection::bad_score},
      {"", Rejection::blank},
      {R"({"results":[[1,0.5]])", Rejection::bad_json},
      {R"({"results":[[1,0.5]]} {})", Rejection::trailing_data},
      {"{\"q\":\"\xff\",\"results\":[[1,0.5]]}", Rejection::bad_utf8},
      {"{\"results\":[[1,0.5]],\"q\":\"\xff\"}", Rejection::bad_utf8},
      {"{\"q\":\"\0\",\"results\":[[1,0.5]]}"sv, Rejection::nul_byte},
      {"{\"q\":\"\x1f\",\"results\":[[1,0.5]]}", Rejection::bad_json},
      {R"({"q":"\ud800","results":[[1,0.5]]})", Rejection::bad_json},
      {R"({"q":"\x","results":[[1,0.5]]})", Rejection::bad_json},
      {R"({"results":[[1,0.5]],"q":01})", Rejection::bad_json},
  };
  for (const Row& row : rows) EXPECT_EQ(reject_object(row.line), row.reason) << row.line;
}

TEST(LineParserCreate, RefusesABadPointerForObjectsOnly) {
  const auto refused = LineParser::create(LineFormat::object, "results");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::config);
  EXPECT_TRUE(LineParser::create(LineFormat::array, "results").ok());
}

}  // namespace
}  // namespace qdedup::miner
