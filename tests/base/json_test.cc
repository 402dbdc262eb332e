#include "base/json.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qdedup {
namespace {

using testing::HasSubstr;

std::string zeros(std::size_t count) {
  std::string text = "[0";
  for (std::size_t i = 1; i < count; ++i) text += ",0";
  return text + "]";
}

TEST(LargeJson, TakesAMillionValuesAndNoMore) {
  EXPECT_EQ(parse_json(zeros(max_json_values - 1)).size(), max_json_values - 1);
  EXPECT_TRUE(parse_json(zeros(max_json_values)).is_discarded());
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(LargeJson, CountsKeysAndWhatIsNested) {
  EXPECT_TRUE(parse_json("[" + zeros(max_json_values) + "]").is_discarded());
  std::string members = "{";
  for (std::size_t i = 0; i < max_json_values / 2; ++i) members += "\"a\":0,";
  EXPECT_TRUE(parse_json(members + "\"a\":0}").is_discarded());
}

TEST(ParseJson, TakesSomeLevelsAndNoMore) {
  EXPECT_FALSE(parse_json(nested(max_json_depth)).is_discarded());
  for (const std::size_t depth :
       {max_json_depth + 1, std::size_t{100'000}, max_json_values - 1, max_json_values + 1})
    EXPECT_TRUE(parse_json(nested(depth)).is_discarded()) << depth;
}

// Quadratic time would take hours.
TEST(LargeJson, TakesManyObjects) {
  std::string list = "[{}";
  std::string members = "{\"0\":{}";
  for (std::size_t i = 1; i < 499'000; ++i) {
    list += ",{}";
    members += ",\"" + std::to_string(i) + "\":{}";
  }
  EXPECT_EQ(parse_json(list + "]").size(), 499'000U);
  EXPECT_EQ(parse_json(members + "}").size(), 499'000U);
}

TEST(ParseJson, TakesNothingElse) {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {""sv, "{"sv, "[1]]"sv, "{\"a\":}"sv, "\"\xff\""sv, "[1]\0"sv, "[1]\0[2]"sv})
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
}

TEST(ReadJson, SaysWhatDoesNotFit) {
  const auto read = [](const nlohmann::json& json) {
    if (json.at("a").get<int>() < 0) throw std::invalid_argument("a is too small");
  };
  EXPECT_TRUE(read_json(R"({"a":1})", read).ok());
  EXPECT_THAT(read_json(R"({"a":-1})", read).error().message, HasSubstr("a is too small"));
  EXPECT_THAT(read_json(R"({"a":"1"})", read).error().message, HasSubstr("must be number"));
  EXPECT_THAT(read_json("{", read).error().message, HasSubstr("not JSON"));
}

TEST(WholeNumber, IsTakenAsItStandsOrNotAtAll) {
  const auto fits = [](const char* text, std::uint64_t max) {
    return read_json(text, [&](const nlohmann::json& json) { whole_number(json.at(0), max); }).ok();
  };
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  for (const char* text : {"[0]", "[1]", "[18446744073709551615]"}) EXPECT_TRUE(fits(text, largest)) << text;
  for (const char* text :
       {"[-1]", "[1.5]", "[1.0]", "[18446744073709551616]", "[1e300]", "[\"1\"]", "[null]"})
    EXPECT_FALSE(fits(text, largest)) << text;
  EXPECT_TRUE(fits("[7]", 7));
  EXPECT_FALSE(fits("[8]", 7));
}

TEST(QuestionIdOfJson, IsOneThatABankMayHold) {
  const auto fits = [](const char* text) {
    return read_json(text, [](const nlohmann::json& json) { question_id(json.at(0)); }).ok();
  };
  for (const char* text : {"[1]", "[9223372036854775807]"}) EXPECT_TRUE(fits(text)) << text;
  for (const char* text : {"[0]", "[-1]", "[9223372036854775808]", "[1e300]"})
    EXPECT_FALSE(fits(text)) << text;
}

TEST(StringAt, IsNullWithoutSuchAString) {
  const nlohmann::json json = parse_json(R"({"name":"ann","age":7})");
  ASSERT_NE(string_at(json, "name"), nullptr);
  EXPECT_EQ(*string_at(json, "name"), "ann");
  for (const char* key : {"age", "key"}) EXPECT_EQ(string_at(json, key), nullptr) << key;
  for (const char* text : {"[1]", "null", "\"name\"", "no JSON"})
    EXPECT_EQ(string_at(parse_json(text), "name"), nullptr) << text;
}

}  // namespace
}  // namespace qdedup
