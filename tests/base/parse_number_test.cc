#include "base/parse_number.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(ParseNumber, TakesTheWholeText) {
  EXPECT_EQ(parse_number<int>("0"), 0);
  EXPECT_EQ(parse_number<int>("007"), 7);
  EXPECT_EQ(parse_number<int>("-12"), -12);
  for (const std::string_view text : {"", "-", "+1", " 1", "1 ", "1.", "0x1", "1e3", "a", "--1", "1,000"})
    EXPECT_FALSE(parse_number<int>(text)) << text;
  EXPECT_FALSE(parse_number<int>(std::string_view("1\0", 2)));
}

TEST(ParseNumber, KnowsTheLimitsOfTheType) {
  EXPECT_EQ(parse_number<std::int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_FALSE(parse_number<std::int64_t>("9223372036854775808"));
  EXPECT_EQ(parse_number<std::int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_number<std::uint8_t>("255"), 255);
  EXPECT_FALSE(parse_number<std::uint8_t>("256"));
  EXPECT_FALSE(parse_number<std::uint8_t>("-0"));
}

TEST(ParseNumber, TakesDigitsOfABase) {
  EXPECT_EQ(parse_number<std::uint64_t>("fF", 16), 255U);
  EXPECT_FALSE(parse_number<std::uint64_t>("0xff", 16));
  EXPECT_FALSE(parse_number<std::uint64_t>("fg", 16));
}

TEST(ParseNumber, TakesFractions) {
  EXPECT_EQ(parse_number<double>("0.5"), 0.5);
  EXPECT_EQ(parse_number<double>("-1e3"), -1000);
  for (const std::string_view text : {"", "+0.5", "0.5 ", "0,5", "."})
    EXPECT_FALSE(parse_number<double>(text)) << text;
}

}  // namespace
}  // namespace qdedup
