#include "miner/json_pointer.h"

#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

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
