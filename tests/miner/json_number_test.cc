#include "miner/json_number.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

// Nothing when `text` does not begin with an id.
std::optional<std::pair<QuestionId, std::string>> id_and_rest(std::string_view text) {
  JsonCursor cursor(text);
  QuestionId id = 0;
  if (!read_id(cursor, id)) return std::nullopt;
  return std::pair(id, std::string(cursor.rest()));
}

std::optional<double> score(std::string_view text) {
  JsonCursor cursor(text);
  double value = 0;
  if (!read_score(cursor, value) || !cursor.rest().empty()) return std::nullopt;
  return value;
}

// The same double, down to the sign of zero, as strtod gives; nothing when that is infinite.
void expect_as_strtod(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr);
  const std::optional<double> actual = score(text);
  ASSERT_EQ(actual.has_value(), std::isfinite(expected)) << text;
  if (actual) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*actual), std::bit_cast<std::uint64_t>(expected)) << text;
  }
}

std::string random_digits(std::mt19937_64& random, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) digits += static_cast<char>('0' + random() % 10);
  return digits;
}

TEST(ReadId, TakesEveryLengthOfDigits) {
  const std::string digits = "9876543210987654321";
  for (std::size_t length = 1; length < digits.size(); ++length) {
    const std::string id = digits.substr(0, length);
    for (const std::string rest : {"", ",", ",0.5]", ", 0.5], [1, 2]", ".5", "e3"}) {
      EXPECT_EQ(id_and_rest(id + rest), std::pair(static_cast<QuestionId>(std::stoll(id)), rest));
    }
  }
}

TEST(ReadId, KeepsTo63Bits) {
  EXPECT_EQ(id_and_rest("1")->first, 1);
  EXPECT_EQ(id_and_rest("9223372036854775807")->first, max_question_id);
  for (const std::string_view text :
       {"0", "9223372036854775808", "9999999999999999999", "18446744073709551615", "18446744073709551616",
        "18446744073709551617", "36893488147419103233"}) {
    EXPECT_FALSE(id_and_rest(text)) << text;
  }
}

TEST(ReadId, RefusesWhatIsNoPlainInteger) {
  for (const std::string_view text : {"", " ", "-1", "+1", "01", "00", "\"7\"", "x", ".5", "null"}) {
    EXPECT_FALSE(id_and_rest(text)) << text;
  }
}

TEST(ReadScore, ReadsShortDecimals) {
  EXPECT_EQ(score("0"), 0.0);
  EXPECT_EQ(score("1"), 1.0);
  EXPECT_EQ(score("0.306"), 0.306);
  EXPECT_EQ(score("1.000"), 1.0);
  EXPECT_EQ(score("0.30612345678"), 0.30612345678);
  EXPECT_EQ(score("12.5e-1"), 1.25);
  EXPECT_EQ(score("-0.5"), -0.5);
}

TEST(ReadScore, RefusesWhatIsNoJsonNumber) {
  for (const std::string_view text : {"", ".5", "1.", "+1", "01", "00.5", "-", "1e", "1e+", "0x1", "NaN",
                                      "nan", "inf", "Infinity", "null", "\"0.5\"", "1_0", "1,5"}) {
    EXPECT_FALSE(score(text)) << text;
  }
}

TEST(ReadScore, RefusesWhatADoubleCannotHold) {
  for (const std::string_view text :
       {"1e999", "-1e999", "1e309", "1.7976931348623159e308", "1e99999999999999999999"}) {
    EXPECT_FALSE(score(text)) << text;
  }
  EXPECT_FALSE(score(std::string(400, '9')));
  EXPECT_FALSE(score("0." + std::string(400, '0') + "1e800"));
  EXPECT_FALSE(score("0." + std::string(400, '0') + "1e99999999999999999999"));
  EXPECT_FALSE(score("12e9223372036854775807"));
}

TEST(ReadScore, RoundsWhatIsTooSmallLikeStrtod) {
  for (const std::string_view text :
       {"1e-400", "-1e-400", "1e-99999999999999999999", "4.9e-324", "2.4703282292062328e-324",
        "2.4703282292062327e-324", "2.2250738585072011e-308", "0e999", "-0", "0.0e-999"}) {
    expect_as_strtod(std::string(text));
  }
  expect_as_strtod("0." + std::string(400, '0') + "1");
  expect_as_strtod("1" + std::string(400, '0') + "e-800");
  expect_as_strtod("0." + std::string(400, '0') + "1e400");
  expect_as_strtod("1" + std::string(400, '0') + "e-99999999999999999999");
  expect_as_strtod("0.0012e-9223372036854775807");
}

TEST(ReadScore, IsExactAroundTheLimitsOfTheShortWay) {
  for (const std::string_view text :
       {"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "900719925474099.3",
        "0.9007199254740993", "0.9007199254740991", "999999999999999999", "9999999999999999999",
        "0.99999999999999999", "0.999999999999999999", "0.9999999999999999999", "0.000000000000000001",
        "0.0000000000000000001", "18446744073709551615", "18446744073709551616", "99999999999999999999.5"}) {
    expect_as_strtod(std::string(text));
  }
}

TEST(ReadScore, IsTheNearestDoubleOfRandomDecimals) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    std::string text = random() % 4 == 0 ? "-" : "";
    text += random() % 2 == 0 ? "0" : std::to_string(1 + random() % 9) + random_digits(random, random() % 20);
    if (random() % 4 != 0) text += "." + random_digits(random, 1 + random() % 25);
    expect_as_strtod(text);
  }
}

TEST(ReadScore, IsTheNearestDoubleOfRandomExponents) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    std::string text = std::to_string(1 + random() % 9) + "." + random_digits(random, 1 + random() % 20);
    text += random() % 2 == 0 ? "e-" : "E";
    text += std::to_string(random() % 2 == 0 ? random() % 330 : 300 + random() % 30);
    expect_as_strtod(text);
  }
}

}  // namespace
}  // namespace qdedup::miner
