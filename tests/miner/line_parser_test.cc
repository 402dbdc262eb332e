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

std::optional<Rejection> reject(const LineShape& shape, std::string_view line) {
  std::vector<ScoredId> pairs;
  return LineParser::create(shape)->parse(line, pairs);
}

std::optional<Rejection> reject_array(std::string_view line) { return reject({}, line); }

std::optional<Rejection> reject_object(std::string_view line) { return reject({LineFormat::object}, line); }

std::vector<ScoredId> pairs_of(std::string_view line, const LineShape& shape = {}) {
  std::vector<ScoredId> pairs = {{99, 9.9}};  // parse replaces what was there
  const std::optional<Rejection> rejection = LineParser::create(shape)->parse(line, pairs);
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
  EXPECT_THAT(pairs_of(R"({"x":)" + open + close + R"(,"results":[[1,0.5]]})", {LineFormat::object}),
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
  EXPECT_THAT(pairs_of(R"({"q":"小明","results":[[1,0.5],[2,0.4]],"took":3})", {LineFormat::object}),
              ElementsAre(ScoredId{1, 0.5}, ScoredId{2, 0.4}));
  EXPECT_THAT(pairs_of(R"({"data":[{"hits":[[1,0.5]]}]})", {LineFormat::object, "/data/0/hits"}),
              ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserObject, TheEmptyPointerIsTheWholeLine) {
  EXPECT_THAT(pairs_of("[[1,0.5]]", {LineFormat::object, ""}), ElementsAre(ScoredId{1, 0.5}));
}

TEST(LineParserObject, OfMembersWithTheSameNameTheLastCounts) {
  EXPECT_THAT(pairs_of(R"({"results":7,"results":[[1,0.5]]})", {LineFormat::object}),
              ElementsAre(ScoredId{1, 0.5}));
  EXPECT_EQ(reject_object(R"({"results":[[1,0.5]],"results":7})"), Rejection::not_a_list);
}

TEST(LineParserObject, PassesOverNumbersBeyondADouble) {
  EXPECT_THAT(pairs_of(R"({"x":1e999,"results":[[1,0.5]]})", {LineFormat::object}),
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

constexpr std::string_view hit_objects =
    R"([{"_id":"12","_score":0.5,"_source":{"text":"[[7,0.9]]"}},{"_score":0.75,"_id":7}])";

LineShape elasticsearch() {
  LineShape shape;
  shape.id = "/_id";
  shape.score = "/_score";
  shape.quoted_numbers = true;
  return shape;
}

TEST(LineParserHits, MayBeObjects) {
  LineShape shape = elasticsearch();
  EXPECT_THAT(pairs_of(hit_objects, shape), ElementsAre(ScoredId{12, 0.5}, ScoredId{7, 0.75}));
  shape.format = LineFormat::object;
  shape.pointer = "/hits/hits";
  const std::string line = R"({"took":3,"hits":{"total":2,"hits":)" + std::string(hit_objects) + "}}";
  EXPECT_THAT(pairs_of(line, shape), ElementsAre(ScoredId{12, 0.5}, ScoredId{7, 0.75}));
}

TEST(LineParserHits, MayBeNestedObjectsAndLongerArrays) {
  LineShape shape;
  shape.id = "/doc/ids/1";
  shape.score = "/rank~1score";
  EXPECT_THAT(pairs_of(R"([{"doc":{"ids":[0,5]},"rank/score":2.5}])", shape), ElementsAre(ScoredId{5, 2.5}));
  shape.id = "/0";
  shape.score = "/2";
  EXPECT_THAT(pairs_of(R"([[5,"x",2.5],[6,"y",2,0]])", shape), ElementsAre(ScoredId{5, 2.5}, ScoredId{6, 2}));
}

TEST(LineParserHits, AreRejectedWithTheReason) {
  const Row rows[] = {
      {R"({"_id":1,"_score":2})", Rejection::not_a_list},
      {R"([[1,0.5]])", Rejection::bad_pair},
      {R"([7])", Rejection::bad_pair},
      {R"([{"_id":1}])", Rejection::bad_pair},
      {R"([{"_id":"x"}])", Rejection::bad_pair},
      {R"([{"_id":1.5,"_score":null}])", Rejection::bad_id},
      {R"([{"_id":1,"_score":null}])", Rejection::bad_score},
      {R"([{"_id":1,"_score":0.5},])", Rejection::bad_json},
      {"[{\"_id\":1,\"_score\":0.5,\"q\":\"\xff\"}]", Rejection::bad_utf8},
      {R"([{"_id":1,"_score":0.5}] 1)", Rejection::trailing_data},
  };
  for (const Row& row : rows) EXPECT_EQ(reject(elasticsearch(), row.line), row.reason) << row.line;
}

TEST(LineParserHits, CountTowardsTheDepthOfTheLine) {
  const auto nested = [](std::size_t depth) {
    return R"([{"_id":1,"_score":0.5,"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}]";
  };
  EXPECT_THAT(pairs_of(nested(max_nesting - 2), elasticsearch()), ElementsAre(ScoredId{1, 0.5}));
  EXPECT_EQ(reject(elasticsearch(), nested(max_nesting - 1)), Rejection::too_deep);
}

TEST(LineParserQuotedNumbers, AreNumbersAndNothingElse) {
  LineShape shape;
  shape.quoted_numbers = true;
  EXPECT_THAT(
      pairs_of(R"([["1380777178","0.306"],["2",1e-3],[3,"-1E+2"],[4,0.5],["\u0037","\u0030.5"]])", shape),
      ElementsAre(ScoredId{1380777178, 0.306}, ScoredId{2, 0.001}, ScoredId{3, -100}, ScoredId{4, 0.5},
                  ScoredId{7, 0.5}));
  for (const std::string_view id : {"", " 7", "7 ", "07", "+7", "0", "-7", "7.0", "7e0", "x7",
                                    "9223372036854775808", R"(\u0000)", R"(7\u0000)", R"(\"7\")", "７"}) {
    EXPECT_EQ(reject(shape, "[[\"" + std::string(id) + "\",0.5]]"), Rejection::bad_id) << id;
  }
  for (const std::string_view score :
       {"", " 0.5", "0.5 ", ".5", "+0.5", "00.5", "1e999", "NaN", "null", "[1]"}) {
    EXPECT_EQ(reject(shape, "[[7,\"" + std::string(score) + "\"]]"), Rejection::bad_score) << score;
  }
}

TEST(LineParserOrder, ByScoreKeepsTheOrderOfEqualScores) {
  LineShape shape;
  shape.by_score = true;
  EXPECT_THAT(pairs_of("[[5,0.25],[4,0.5],[3,-1],[2,0.5],[4,0.75],[1,0]]", shape),
              ElementsAre(ScoredId{4, 0.75}, ScoredId{4, 0.5}, ScoredId{2, 0.5}, ScoredId{5, 0.25},
                          ScoredId{1, 0}, ScoredId{3, -1}));
  EXPECT_THAT(pairs_of("[]", shape), IsEmpty());
}

TEST(LineParserEmbedded, TakesTheFirstListThatIsNotEmpty) {
  const LineShape shape = {LineFormat::embedded};
  for (const std::string_view line : {
           "[[12,0.5],[7,0.25]]"sv,
           "2026-01-02 03:04:05 [info] q=小明 hits=[[12,0.5],[7,0.25]] took=3 [[1,0.9],[2,0.9]]"sv,
           R"({"q":"a","message":"[[12,0.5],[7,0.25]]"})"sv,
           "tags=[] [[]] [[12,0.5],[7,0.25]]"sv,
           "[[1,0.5],[x [[1,0.5][ [[0,0.9]] [[12, 0.5] ,[7,0.25]]"sv,
           "\xff\0 [[[[12,0.5],[7,0.25]]"sv,
       }) {
    EXPECT_THAT(pairs_of(line, shape), ElementsAre(ScoredId{12, 0.5}, ScoredId{7, 0.25})) << line;
  }
}

TEST(LineParserEmbedded, OfALineWithoutOneTellsWhetherThereIsAnEmptyList) {
  const LineShape shape = {LineFormat::embedded};
  EXPECT_THAT(pairs_of("[info] hits=[ ]", shape), IsEmpty());
  for (const std::string_view line :
       {"no list"sv, "[info]"sv, "[[1,0.5]"sv, "[[1,0.5],[0,0.5]]"sv, "{}"sv, "["sv}) {
    EXPECT_EQ(reject(shape, line), Rejection::no_results) << line;
  }
  EXPECT_EQ(reject(shape, " \t\r"), Rejection::blank);
  EXPECT_EQ(reject(shape, "\xEF\xBB\xBF"), Rejection::blank);
}

TEST(LineParserEmbedded, FindsHitsThatAreObjects) {
  LineShape shape = elasticsearch();
  shape.format = LineFormat::embedded;
  const std::string line = R"([info] {"hits":{"hits":)" + std::string(hit_objects) + "}}";
  EXPECT_THAT(pairs_of(line, shape), ElementsAre(ScoredId{12, 0.5}, ScoredId{7, 0.75}));
}

// They would take hours if each [ led to the end of the line.
TEST(LargeLines, TakeLinearTime) {
  constexpr std::size_t size = 1U << 20U;
  LineShape objects = elasticsearch();
  objects.format = LineFormat::embedded;
  LineShape quoted = {LineFormat::embedded};
  quoted.quoted_numbers = true;
  for (const std::string_view part :
       {"["sv, "[["sv, "[ "sv, "[{\"a\":"sv, "[[\""sv, "[[\"\\\""sv, "[[1,0.5],"sv, "[[1,0.5]"sv,
        "[{\"_id\":1,\"_score\":1,\"a\":"sv, "{\"_id\":1,\"_score\":1},["sv}) {
    std::string line = "[";
    while (line.size() < size) line += part;
    for (const LineShape& shape : {LineShape{LineFormat::embedded}, quoted, objects}) {
      std::vector<ScoredId> pairs;
      EXPECT_EQ(LineParser::create(shape)->parse(line, pairs), Rejection::no_results) << part;
    }
  }
}

TEST(LineParserCreate, RefusesABadPointerThatCounts) {
  const auto refused = LineParser::create({LineFormat::object, "results"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::config);
  EXPECT_TRUE(LineParser::create({LineFormat::array, "results"}).ok());
  EXPECT_FALSE(LineParser::create({.id = "_id", .score = "/_score"}).ok());
  EXPECT_FALSE(LineParser::create({.id = "/_id", .score = "/~"}).ok());
}

}  // namespace
}  // namespace qdedup::miner
