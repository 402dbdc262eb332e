#include <array>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "miner/line_parser.h"
#include "tests/support/line_agreement.h"
#include "tests/support/sampled.h"

namespace qdedup::miner {
namespace {

using namespace std::string_view_literals;
using support::disagreement_on_line;

constexpr std::array id_texts = {"1"sv,         "2"sv,          "12345678"sv,
                                 "123456789"sv, "1380777178"sv, "9223372036854775807"sv};
constexpr std::array bad_ids = {
    "0"sv, "-1"sv, "9223372036854775808"sv, "18446744073709551617"sv, "1.5"sv, "1e3"sv, R"("7")"sv, "null"sv};
constexpr std::array score_texts = {
    "0.306"sv, "1"sv,      "0"sv,      "-0.5"sv,  "12.345678901234"sv,     "1e-3"sv,
    "1E+2"sv,  "1e999"sv,  "1e-999"sv, "null"sv,  "0.3333333333333333"sv,  "7.25"sv,
    "1.000"sv, R"("x")"sv, "true"sv,   "[0.5]"sv, "18446744073709551616"sv};
constexpr std::array spaces = {""sv, ""sv, ""sv, " "sv, "  "sv, "\t"sv, "\r"sv, "\n"sv};
constexpr std::array keys = {R"("results")"sv,      R"("a")"sv,   R"("a")"sv,    R"("0")"sv,
                             R"("\u0061")"sv,       R"("")"sv,    R"("结果")"sv, R"("\u7ed3果")"sv,
                             R"("\ud83d\ude00")"sv, R"("a\/b")"sv};
constexpr std::array pointers = {""sv,  "/results"sv, "/a"sv,    "/a/0"sv,   "/a/a"sv, "/0"sv,
                                 "/"sv, "/结果"sv,    "/a~1b"sv, "/a/1/a"sv, "/😀"sv};
constexpr std::array splices = {
    "["sv,         "]"sv,         "{"sv,     "}"sv,    ","sv,  ":"sv,           R"(")"sv, R"(\)"sv,
    R"(\u12)"sv,   R"(\ud800)"sv, "0"sv,     "1"sv,    "-"sv,  "."sv,           "e"sv,    "+"sv,
    "\0"sv,        "\xff"sv,      "\xe5"sv,  "\x80"sv, "é"sv,  "\x1f"sv,        "true"sv, "nul"sv,
    "[[1,0.5]]"sv, " "sv,         "1e999"sv, "\x7f"sv, "//"sv, "\xEF\xBB\xBF"sv};

constexpr std::array texts = {""sv,        " "sv,       "[info] "sv, "2026-01-02 查询 "sv,
                              "\""sv,      "[["sv,      "[] "sv,     "[[]] "sv,
                              "\\"sv,      "\xff"sv,    "\0"sv,      "[{"sv,
                              "{\"a\":"sv, "[[1,0.5"sv, "]]"sv,      "[[7,0.25]] "sv,
                              "[[\""sv,    "}"sv};

struct HitPointers {
  const char* id;
  const char* score;
};
constexpr std::array hit_pointers = {HitPointers{"", ""}, HitPointers{"", ""}, HitPointers{"/_id", "/_score"},
                                     HitPointers{"/_id", "/_score"}, HitPointers{"/0", "/1"}};

class LineMaker {
 public:
  explicit LineMaker(unsigned seed) : random_(seed) {}

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::string_view one_of(std::span<const std::string_view> choices) {
    return choices[below(choices.size())];
  }

  // A list of pairs, a few of them bad.
  std::string list() {
    std::string text = token("[");
    const std::size_t size = below(6);
    for (std::size_t i = 0; i < size; ++i) text += (i == 0 ? "" : token(",")) + pair();
    return text + token("]");
  }

  // Any value, the list among others.
  std::string value(int depth) {
    const std::size_t kind = depth > 3 ? 3 + below(3) : below(6);
    if (kind == 0) return object(depth);
    if (kind == 1) return array(depth);
    if (kind == 2) return list();
    if (kind == 3) return token(one_of(score_texts));
    if (kind == 4) return token(one_of(keys));
    return token("false");
  }

  std::string object(int depth) {
    std::string text = token("{");
    const std::size_t size = below(4);
    for (std::size_t i = 0; i < size; ++i) {
      text += (i == 0 ? "" : token(",")) + token(one_of(keys)) + token(":") + value(depth + 1);
    }
    return text + token("}");
  }

  // Puts a few things where they do not belong, takes some out, cuts the end off.
  std::string damaged(std::string text) {
    const std::size_t changes = below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = below(text.size());
      if (chance(50)) {
        text.insert(at, one_of(splices));
      } else if (chance(50)) {
        text.erase(at, 1 + below(3));
      } else if (chance(80)) {
        text.replace(at, 1, one_of(splices));
      } else {
        text.resize(at);
      }
    }
    return text;
  }

  // Objects with the list at some pointer.
  LineShape shape() { return {LineFormat::object, std::string(one_of(pointers))}; }

  // Any other way to write hits, and a few that do not fit them.
  LineShape other_hits(LineShape shape) {
    const HitPointers hit = hit_pointers.at(below(hit_pointers.size()));
    shape.id = hit.id;
    shape.score = hit.score;
    shape.quoted_numbers = chance(50);
    shape.by_score = chance(50);
    is_hit_object_ = hit.id == "/_id"sv;
    quotes_ = shape.quoted_numbers;
    return shape;
  }

  // Text with lists in it, and with what looks like one.
  std::string text() {
    std::string text;
    for (std::size_t parts = 1 + below(4); parts > 0; --parts) {
      text += one_of(texts);
      if (chance(60)) text += chance(70) ? damaged(list()) : value(2);
    }
    return text;
  }

 private:
  std::string token(std::string_view text) {
    return std::string(one_of(spaces)).append(text).append(one_of(spaces));
  }

  std::string number(std::string_view text) {
    return quotes_ && chance(50) ? '"' + std::string(text) + '"' : std::string(text);
  }

  std::string pair() {
    const std::string id = token(number(chance(95) ? one_of(id_texts) : one_of(bad_ids)));
    const std::string score =
        token(number(one_of(chance(90) ? std::span(score_texts).first(7) : std::span(score_texts))));
    if (is_hit_object_ && chance(95)) return hit_object(id, score);
    std::string text = token("[") + id + token(",") + score;
    if (chance(2)) text += token(",") + token("1");
    return text + token("]");
  }

  std::string hit_object(std::string_view id, std::string_view score) {
    const std::string id_member = R"("_id":)" + std::string(id);
    const std::string score_member = R"("_score":)" + std::string(score);
    std::string text =
        token("{") + (chance(50) ? id_member + ',' + score_member : score_member + ',' + id_member);
    if (chance(30)) text += token(",") + token(one_of(keys)) + token(":") + value(2);
    if (chance(5)) text += token(",") + id_member;
    return text + token("}");
  }

  std::string array(int depth) {
    std::string text = token("[");
    const std::size_t size = below(4);
    for (std::size_t i = 0; i < size; ++i) text += (i == 0 ? "" : token(",")) + value(depth + 1);
    return text + token("]");
  }

  std::mt19937_64 random_;
  bool is_hit_object_ = false;
  bool quotes_ = false;
};

TEST(LineParserRandom, AgreesWithItsTwinOnLists) {
  LineMaker lines(1);
  for (int i = 0; i < sampled(30000); ++i) ASSERT_EQ(disagreement_on_line({}, lines.list()), "");
}

TEST(LineParserRandom, AgreesWithItsTwinOnDamagedLists) {
  LineMaker lines(2);
  for (int i = 0; i < sampled(60000); ++i) {
    ASSERT_EQ(disagreement_on_line({}, lines.damaged(lines.list())), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinOnObjects) {
  LineMaker lines(3);
  for (int i = 0; i < sampled(60000); ++i) {
    ASSERT_EQ(disagreement_on_line(lines.shape(), lines.object(0)), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinOnDamagedObjects) {
  LineMaker lines(4);
  for (int i = 0; i < sampled(60000); ++i) {
    const std::string line = lines.damaged(lines.object(0));
    ASSERT_EQ(disagreement_on_line(lines.shape(), line), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinAroundTheNestingLimit) {
  LineMaker lines(5);
  for (int i = 0; i < 2000; ++i) {
    std::string open;
    std::string close = "1";
    for (std::size_t depth = 62 + lines.below(4); depth > 0; --depth) {
      const bool object = lines.chance(50);
      open += object ? "{\"a\":" : "[";
      close.insert(1, object ? "}" : "]");
    }
    ASSERT_EQ(disagreement_on_line({LineFormat::object, "/a"}, lines.damaged(open + close)), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinOnOtherHits) {
  LineMaker lines(6);
  for (int i = 0; i < sampled(30000); ++i) {
    const LineShape array = lines.other_hits({});
    ASSERT_EQ(disagreement_on_line(array, lines.damaged(lines.list())), "");
    const LineShape object = lines.other_hits(lines.shape());
    ASSERT_EQ(disagreement_on_line(object, lines.damaged(lines.object(0))), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinOnText) {
  LineMaker lines(7);
  for (int i = 0; i < sampled(20000); ++i) {
    const LineShape shape = lines.other_hits({LineFormat::embedded});
    ASSERT_EQ(disagreement_on_line(shape, lines.text()), "");
  }
}

TEST(LineParserRandom, AgreesWithItsTwinOnEveryCutOfALine) {
  const std::string_view line =
      R"({"q":"小明 \ud83d\ude00","results":[[1380777178,0.306],[2,1e-3]],"n":[null,true]})";
  for (std::size_t size = 0; size <= line.size(); ++size) {
    EXPECT_EQ(disagreement_on_line({LineFormat::object, "/results"}, line.substr(0, size)), "");
  }
}

}  // namespace
}  // namespace qdedup::miner
