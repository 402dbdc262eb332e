#include "miner/json_cursor.h"

#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

// What is left of `text` after one value, with an X before it when the value does not fit.
std::string rest_after_value(std::string_view text) {
  JsonCursor cursor(text);
  const bool fits = cursor.skip_value();
  return (fits ? "" : "X") + std::string(cursor.rest());
}

TEST(JsonCursor, PassesOverEveryKindOfValue) {
  for (const std::string_view value : {"null",
                                       "true",
                                       "false",
                                       "0",
                                       "-0",
                                       "12",
                                       "-1.5",
                                       "0.25e-3",
                                       "1E+9",
                                       "[]",
                                       "{}",
                                       "[ ]",
                                       "{ }",
                                       R"("")",
                                       R"("a\"\\\/\b\f\n\r\t\u00e9")",
                                       R"("\ud83d\uDE00")",
                                       "\"\x7f\"",
                                       "[1,[2],{}]",
                                       R"({"a":1,"b":[{"c":null}]})",
                                       " \t\r\n[ 1 , { \"a\" : 2 } ]",
                                       R"("1234567\u0041 and more than a word")"}) {
    EXPECT_EQ(rest_after_value(value), "") << value;
    EXPECT_EQ(rest_after_value(std::string(value) + " ,"), " ,") << value;
  }
}

TEST(JsonCursor, StopsAtTheFirstByteThatDoesNotFit) {
  const struct {
    std::string_view text, rest;
  } rows[] = {
      {"", "X"},
      {"nul", "X"},
      {"nulL", "XL"},
      {"True", "XTrue"},
      {"+1", "X+1"},
      {"-", "X"},
      {"-x", "Xx"},
      {".5", "X.5"},
      {"1.", "X"},
      {"1.e5", "Xe5"},
      {"1e", "X"},
      {"1e+", "X"},
      {"01", "1"},
      {"[01]", "X1]"},
      {"[1 2]", "X2]"},
      {"[1,]", "X]"},
      {"[,1]", "X,1]"},
      {"[1}", "X}"},
      {"{1:2}", "X1:2}"},
      {R"({"a"})", "X}"},
      {R"({"a":})", "X}"},
      {R"({"a":1,})", "X}"},
      {R"({"a":1])", "X]"},
      {R"({"a" 1})", "X1}"},
      {"\"abc", "X"},
      {"\"a\tb\"", "X\tb\""},
      {"\"long enough for words\x1f\"", "X\x1f\""},
      {R"("\x41")", "Xx41\""},
      {R"("\u12G4")", "XG4\""},
      {R"("\u123)", "X"},
      {"NaN", "XNaN"},
      {"Infinity", "XInfinity"},
      {"'a'", "X'a'"},
      {"/**/1", "X/**/1"},
  };
  for (const auto& row : rows) EXPECT_EQ(rest_after_value(row.text), row.rest) << row.text;
}

TEST(JsonCursor, RefusesHalvesOfSurrogatePairs) {
  EXPECT_EQ(rest_after_value(R"("\ud83d")"), "X\"");
  EXPECT_EQ(rest_after_value(R"("\ud83dx")"), "Xx\"");
  EXPECT_EQ(rest_after_value(R"("\ud83d\n")"), "Xn\"");
  EXPECT_EQ(rest_after_value(R"("\ud83d\u0041")"), "X1\"");
  EXPECT_EQ(rest_after_value(R"("\ude00")"), "X0\"");
}

TEST(JsonCursor, CountsNestingUpToTheLimit) {
  for (const std::string bracket : {"[", "{\"a\":"}) {
    std::string open;
    for (int i = 0; i < max_nesting; ++i) open += bracket;
    const std::string one_and_close = "1" + std::string(max_nesting, bracket == "[" ? ']' : '}');
    EXPECT_EQ(rest_after_value(open + one_and_close), "");

    const std::string deeper = std::string(open).append(bracket).append(one_and_close);
    JsonCursor cursor(deeper);
    EXPECT_FALSE(cursor.skip_value());
    EXPECT_TRUE(cursor.too_deep());
    EXPECT_EQ(cursor.position(), deeper.data() + open.size());
  }
}

TEST(JsonCursor, OtherFaultsAreNotTooDeep) {
  JsonCursor cursor("[1[");
  EXPECT_FALSE(cursor.skip_value());
  EXPECT_FALSE(cursor.too_deep());
}

TEST(JsonCursor, TakesOneCharacterBehindSpace) {
  JsonCursor cursor(" \t, x");
  EXPECT_FALSE(cursor.take('x'));
  EXPECT_TRUE(cursor.take(','));
  EXPECT_TRUE(cursor.take('x'));
  EXPECT_FALSE(cursor.take('x'));
}

using testing::ElementsAre;
using testing::IsEmpty;

// What follows the place where `pointer` leads to in `text`.
std::optional<std::string> rest_at(std::string_view text, std::string_view pointer) {
  JsonCursor cursor(text);
  if (!find(*parse_pointer(pointer), cursor)) return std::nullopt;
  cursor.skip_space();
  return std::string(cursor.rest());
}

TEST(ParsePointer, SplitsAndUnescapes) {
  EXPECT_THAT(*parse_pointer(""), IsEmpty());
  EXPECT_THAT(*parse_pointer("/"), ElementsAre(""));
  EXPECT_THAT(*parse_pointer("/results"), ElementsAre("results"));
  EXPECT_THAT(*parse_pointer("/a//b/"), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(*parse_pointer("/a~1b/c~0d/~01"), ElementsAre("a/b", "c~d", "~1"));
  EXPECT_THAT(*parse_pointer("/结果/0"), ElementsAre("结果", "0"));
}

TEST(ParsePointer, RefusesBadPointers) {
  for (const std::string_view pointer : {"results", "a/b", "/a~", "/a~2", "/~/b", "/\xff"}) {
    const auto tokens = parse_pointer(pointer);
    ASSERT_FALSE(tokens.ok()) << pointer;
    EXPECT_EQ(tokens.error().code, ErrorCode::config);
  }
}

TEST(FindPointer, WalksThroughObjectsAndArrays) {
  const std::string_view text = R"( {"a": {"b": [10, [20, 21], {"c": 30}]}, "d" : 40})";
  EXPECT_EQ(rest_at(text, ""), text.substr(1));
  EXPECT_EQ(rest_at(text, "/d"), "40}");
  EXPECT_EQ(rest_at(text, "/a/b/0"), R"(10, [20, 21], {"c": 30}]}, "d" : 40})");
  EXPECT_EQ(rest_at(text, "/a/b/1/1"), R"(21], {"c": 30}]}, "d" : 40})");
  EXPECT_EQ(rest_at(text, "/a/b/2/c"), R"(30}]}, "d" : 40})");
}

TEST(FindPointer, FindsNothingWhereNothingIs) {
  const std::string_view text = R"({"a": {}, "b": [], "c": [1, 2], "d": "x", "e": null})";
  for (const std::string_view pointer : {"/f", "/a/x", "/b/0", "/c/2", "/c/-", "/c/01", "/c/+1", "/c/x",
                                         "/c/", "/c/18446744073709551616", "/d/0", "/e/a", "/", "/A"}) {
    EXPECT_EQ(rest_at(text, pointer), std::nullopt) << pointer;
  }
}

TEST(FindPointer, OfMembersWithTheSameNameTheLastCounts) {
  EXPECT_EQ(rest_at(R"({"a": 1, "b": 2, "a": 3})", "/a"), "3}");
  EXPECT_EQ(rest_at(R"({"a": {"b": 1}, "a": {}})", "/a/b"), std::nullopt);
}

TEST(FindPointer, ComparesKeysUnescaped) {
  EXPECT_EQ(rest_at(R"({"\u0061\n\/": 1})", "/a\n~1"), "1}");
  EXPECT_EQ(rest_at(R"({"\"\\\b\f\r\t": 1})", "/\"\\\b\f\r\t"), "1}");
  EXPECT_EQ(rest_at(R"({"\u7ed3\u679c": 1})", "/结果"), "1}");
  EXPECT_EQ(rest_at(R"({"\u00e9\ud83d\ude00": 1})", "/é😀"), "1}");
  EXPECT_EQ(
      rest_at(R"({"\u007f\u0080\u07ff\u0800\uffff": 1})", "/\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"),
      "1}");
  EXPECT_EQ(rest_at(R"({"\ud800\udc00\udbff\udfff": 1})", "/\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), "1}");
  EXPECT_EQ(rest_at(R"({"\u0061b": 1})", "/a"), std::nullopt);
  EXPECT_EQ(rest_at(R"({"\u0000": 1})", std::string_view("/\0", 2)), "1}");
}

}  // namespace
}  // namespace qdedup::miner
