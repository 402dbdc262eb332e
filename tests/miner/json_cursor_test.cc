#include "miner/json_cursor.h"

#include <string>
#include <string_view>

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

}  // namespace
}  // namespace qdedup::miner
