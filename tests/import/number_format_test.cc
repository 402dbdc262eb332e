#include "import/number_format.h"

#include <string>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

std::string shown_by(const FormatEffect& effect) {
  return std::string(effect.shows_texts ? "texts " : "") + (effect.shows_numbers ? "numbers" : "");
}

TEST(NumberFormat, CodesThatShowValuesAsTheyAre) {
  for (const char* const code :
       {"General", "GENERAL", "0", "0_ ", "0_);[Red]\\(0\\)", "#,##0;[Red]-#,##0", "0.00", "@",
        "General;-General;0;@", "#,##0_ ;[Red]\\-#,##0\\ ", "0;0;0;General", "000000", "???"}) {
    EXPECT_EQ(shown_by(effect_of_code(code)), "texts numbers") << code;
  }
}

TEST(NumberFormat, CodesThatShowTextsOnly) {
  for (const char* const code :
       {"0.00E+00", "0%", "yyyy/m/d", "yyyy\"年\"m\"月\"d\"日\"", "0,", "[>5]0;0", "[DBNum1]0", "\"id \"0",
        "0;;;@", "[$-804]General", "0\"2\"", "_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"_);_(@_)", "\\70"}) {
    const bool is_number_as_well = std::string(code) == "0;;;@";
    EXPECT_EQ(shown_by(effect_of_code(code)), is_number_as_well ? "texts numbers" : "texts ") << code;
  }
}

TEST(NumberFormat, CodesThatHideOrReplaceTexts) {
  for (const char* const code :
       {";;;", "", ";;", "0;0;0;", "0;0;0;\"approve\"", "@\"x\"", "\"approve\"", "0;0;@\" \"@", "@@", "@;0",
        "*@@", "0;0;0;[>1]@", "\"approve\";\"approve\";\"approve\";\"approve\"", "0;0;0;\\n\\o", "0;0;0;@;@",
        "[", "\"", "\\", "0;0;0;*x@"}) {
    EXPECT_FALSE(effect_of_code(code).shows_texts) << code;
  }
}

TEST(NumberFormat, BuiltInOnesShowTexts) {
  for (std::uint32_t number = 0; number < 200; ++number) {
    EXPECT_TRUE(effect_of_built_in(number).shows_texts);
    const bool is_plain = number < 5 || (number >= 37 && number <= 40) || number == 49;
    EXPECT_EQ(effect_of_built_in(number).shows_numbers, is_plain) << number;
  }
}

}  // namespace
}  // namespace qdedup::import
