#include "base/json.h"

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

TEST(ParseJson, TakesAMillionValuesAndNoMore) {
  EXPECT_EQ(parse_json(zeros(max_json_values - 1)).size(), max_json_values - 1);
  EXPECT_TRUE(parse_json(zeros(max_json_values)).is_discarded());
  EXPECT_TRUE(parse_json("[" + zeros(max_json_values) + "]").is_discarded());
}

TEST(ParseJson, CountsKeysAndWhatIsNested) {
  EXPECT_TRUE(parse_json(std::string(max_json_values + 1, '[') + std::string(max_json_values + 1, ']'))
                  .is_discarded());
  std::string members = "{";
  for (std::size_t i = 0; i < max_json_values / 2; ++i) members += "\"a\":0,";
  EXPECT_TRUE(parse_json(members + "\"a\":0}").is_discarded());
}

TEST(ParseJson, TakesNothingElse) {
  for (const char* text : {"", "{", "[1]]", "{\"a\":}", "\"\xff\""})
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
}

TEST(ReadJson, SaysWhatDoesNotFit) {
  const auto read = [](const nlohmann::json& json) {
    if (json.at("a").get<int>() < 0) throw std::invalid_argument("a is too small");
  };
  EXPECT_TRUE(read_json(R"({"a":1})", read).ok());
  EXPECT_THAT(read_json(R"({"a":-1})", read).error().message, HasSubstr("a is too small"));
  EXPECT_THAT(read_json(R"({"a":"1"})", read).error().message, HasSubstr("must be number"));
  EXPECT_THAT(read_json("{", read).error().message, HasSubstr("no JSON"));
}

}  // namespace
}  // namespace qdedup
