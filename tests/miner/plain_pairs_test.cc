#include "miner/plain_pairs.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/line_agreement.h"

namespace qdedup::miner {
namespace {

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
    ASSERT_EQ(support::disagreement_on_line(LineFormat::array, "", lines.line()), "");
  }
}

TEST(PlainPairs, EveryCutOfALineAgreesWithItsTwin) {
  std::string line = "[";
  for (int i = 0; i < 12; ++i)
    line += "[13807771" + std::to_string(10 + i) + ",0.3" + std::to_string(i) + "],";
  line.back() = ']';
  for (std::size_t size = 0; size <= line.size(); ++size) {
    EXPECT_EQ(support::disagreement_on_line(LineFormat::array, "", line.substr(0, size)), "");
  }
}

}  // namespace
}  // namespace qdedup::miner
