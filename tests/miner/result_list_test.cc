#include "miner/result_list.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/line_agreement.h"

namespace qdedup::miner {
namespace {

TEST(Rejection, HasTheNameOfItsEnumerator) {
  EXPECT_EQ(name(Rejection::blank), "blank");
  EXPECT_EQ(name(Rejection::too_long), "too_long");
  EXPECT_EQ(name(Rejection::too_deep), "too_deep");
  EXPECT_EQ(name(Rejection::nul_byte), "nul_byte");
  EXPECT_EQ(name(Rejection::bad_utf8), "bad_utf8");
  EXPECT_EQ(name(Rejection::bad_json), "bad_json");
  EXPECT_EQ(name(Rejection::trailing_data), "trailing_data");
  EXPECT_EQ(name(Rejection::no_results), "no_results");
  EXPECT_EQ(name(Rejection::not_a_list), "not_a_list");
  EXPECT_EQ(name(Rejection::bad_pair), "bad_pair");
  EXPECT_EQ(name(Rejection::bad_id), "bad_id");
  EXPECT_EQ(name(Rejection::bad_score), "bad_score");
}

TEST(Rejection, CountCoversAllAndNamesDiffer) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rejection_count; ++i) names.insert(name(static_cast<Rejection>(i)));
  EXPECT_EQ(names.size(), rejection_count);
  EXPECT_EQ(static_cast<std::size_t>(Rejection::bad_score), rejection_count - 1);
}

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

// What is read, and what is left.
struct Reading {
  bool any;
  std::vector<ScoredId> pairs;
  std::string rest;
};

Reading read(std::string_view text) {
  const std::vector<char> bytes(text.begin(), text.end());  // nothing behind the end, for AddressSanitizer
  JsonCursor cursor({bytes.data(), bytes.size()});
  Reading reading{};
  reading.any = read_plain_pairs(cursor, reading.pairs);
  reading.rest = cursor.rest();
  return reading;
}

TEST(PlainPairs, StopInFrontOfTheCommaThatNoPlainPairFollows) {
  const std::vector<ScoredId> two = {{1380777178, 0.306}, {1589879284, 1.0}};
  for (const std::string rest : {"", "]", "]]", ", [12,null]]", ",  [12,0.1]]", ",[12, 0.1]", " ,[12,0.1]"}) {
    for (const std::string_view gap : {",", ", "}) {
      const Reading reading = read("[1380777178,0.306]" + std::string(gap) + "[1589879284,1.000]" + rest);
      EXPECT_TRUE(reading.any);
      EXPECT_EQ(reading.pairs, two) << rest;
      EXPECT_EQ(reading.rest, rest);
    }
  }
}

TEST(PlainPairs, DoNothingWhereNoneStands) {
  for (const std::string text :
       {"",         "[",        "]",         "[]",           "[1]",
        "[0,0.5]",  "[01,0.5]", "[1,.5]",    "[1,5]",        "[1,0.]",
        "[1,00.5]", "[1,-0.5]", "[1,0.5e1]", "[1,0.123456]", "[1234567890123456,0.5]",
        "[1, 0.5]", "[1,0.5 ]", "[1,0.5",    "[1.0,0.5]",    "{1,0.5]",
        "[1;0.5]",  "[1,0,5]",  " [1,0.5]"}) {
    for (const std::string_view behind : {"", ",[1380777178,0.306],[1589879284,1.000],[1589879284,1.000]]"}) {
      const Reading reading = read(text + std::string(behind));
      EXPECT_FALSE(reading.any) << text;
      EXPECT_TRUE(reading.pairs.empty()) << text;
      EXPECT_EQ(reading.rest, text + std::string(behind));
    }
  }
}

TEST(PlainPairs, IdsAndScoresOfEveryLength) {
  std::string id;
  for (std::size_t digits = 1; digits <= 15; ++digits) {
    id += static_cast<char>('0' + digits % 10);
    std::string decimals;
    for (std::size_t i = 1; i <= 5; ++i) {
      decimals += static_cast<char>('0' + (7 * i) % 10);
      std::string text = "[" + id + ",3." + decimals + "]";
      for (int repeats = 0; repeats < 3; ++repeats) text += "," + text;
      const Reading reading = read(text);
      EXPECT_EQ(reading.pairs, std::vector<ScoredId>(8, {std::stoll(id), std::stod("3." + decimals)}));
      EXPECT_EQ(reading.rest, "");
    }
  }
}

// Lines of pairs that mostly have the same shape, with damage in some.
class PlainLines {
 public:
  explicit PlainLines(unsigned seed) : random_(seed) {}

  std::string line() {
    const std::string gap = below(2) == 0 ? "," : ", ";
    id_digits_ = 1 + below(19);
    decimals_ = below(8);
    std::string text = "[";
    for (std::size_t left = below(12); left > 0; --left) {
      if (below(10) == 0) id_digits_ = 1 + below(19);
      if (below(10) == 0) decimals_ = below(8);
      text += pair() + (left > 1 ? gap : "");
    }
    text += ']';
    if (below(2) == 0) damage(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string digits(std::size_t count) {
    std::string text;
    for (; count > 0; --count) text += static_cast<char>('0' + below(10));
    return text;
  }

  std::string pair() {
    std::string text = "[" + digits(id_digits_) + "," + digits(below(20) == 0 ? 2 : 1);
    if (decimals_ > 0) text += "." + digits(decimals_);
    return text + "]";
  }

  void damage(std::string& text) {
    constexpr std::string_view bytes = "0159[],.- e/:;\t\\\"\xFF";
    const std::size_t at = below(text.size());
    if (below(3) == 0) {
      text.erase(at, 1);
    } else if (below(2) == 0) {
      text.insert(at, 1, bytes[below(bytes.size())]);
    } else {
      text[at] = bytes[below(bytes.size())];
    }
  }

  std::mt19937_64 random_;
  std::size_t id_digits_ = 1;
  std::size_t decimals_ = 1;
};

TEST(PlainPairs, LinesAgreeWithTheirTwin) {
  PlainLines lines(1);
  for (int i = 0; i < 60'000; ++i) {
    ASSERT_EQ(support::disagreement_on_line({}, lines.line()), "");
  }
}

TEST(PlainPairs, EveryCutOfALineAgreesWithItsTwin) {
  std::string line = "[";
  for (int i = 0; i < 12; ++i)
    line += "[13807771" + std::to_string(10 + i) + ",0.3" + std::to_string(i) + "],";
  line.back() = ']';
  for (std::size_t size = 0; size <= line.size(); ++size) {
    EXPECT_EQ(support::disagreement_on_line({}, line.substr(0, size)), "");
  }
}

}  // namespace
}  // namespace qdedup::miner
