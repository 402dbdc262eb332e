#include "import/fields.h"

#include <string>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

using namespace std::string_literals;

// Fault 23.
TEST(ParseId, TakesIntegersFrom1To2To63Minus1) {
  EXPECT_EQ(parse_id("1"), 1);
  EXPECT_EQ(parse_id("9223372036854775807"), max_question_id);
  EXPECT_EQ(parse_id("007"), 7);
}

TEST(ParseId, NeitherWrapsNorRounds) {
  for (const char* text :
       {"", "0", "-1", "9223372036854775808", "18446744073709551616", "18446744073709551617", "1.5", "1.0",
        "1e3", "+1", " 1", "1 ", "0x1", "one", "1,2", "１"}) {
    EXPECT_EQ(parse_id(text), std::nullopt) << text;
  }
}

TEST(CheckText, TakesAnyUtf8ButNul) {
  EXPECT_FALSE(check_text("").has_value());
  EXPECT_FALSE(check_text("小红买10本书\r\n\t“!”").has_value());
  EXPECT_EQ(check_text("a\0b"s)->reason, "text contains NUL");
  EXPECT_EQ(check_text("a\xFF")->reason, "text is not UTF-8");
  EXPECT_EQ(check_text("\xED\xA0\x80")->reason, "text is not UTF-8");
}

TEST(CheckAnswer, TakesAnyUtf8ButNul) {
  EXPECT_FALSE(check_answer("1½").has_value());
  EXPECT_EQ(check_answer("\0"s)->reason, "answer contains NUL");
  EXPECT_EQ(check_answer("\xC0\x80")->reason, "answer is not UTF-8");
}

TEST(MakeRowError, ShortensTheDetailAtACharacter) {
  EXPECT_EQ(row_error("why", std::string(40, 'x')).detail, std::string(40, 'x'));
  EXPECT_EQ(row_error("why", std::string(41, 'x')).detail, std::string(40, 'x') + "…");
  EXPECT_EQ(row_error("why", "x题题题题题题题题题题题题题题题题").detail, "x题题题题题题题题题题题题题…");
}

TEST(MakeRowError, ReplacesWhatMayNotBePrinted) {
  EXPECT_EQ(row_error("why", "a\nb\x1B[0m\x7F").detail, "a?b?[0m?");
  EXPECT_EQ(row_error("why", "题").detail, "题");
  EXPECT_EQ(row_error("why", "a\xFFz").detail, "a?z");
}

TEST(WithoutBlanks, TakesThemFromBothEnds) {
  EXPECT_EQ(without_blanks(" \ta b\r"), "a b");
  EXPECT_EQ(without_blanks(" \r"), "");
}

}  // namespace
}  // namespace qdedup::import
