#include "base/user_name.h"

#include <string>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(ReviewerName, IsPlainText) {
  for (const char* name : {"ann", "安 娜", "Zoë O'Neil", "x@y.z", "\U0001F600"}) {
    EXPECT_TRUE(is_reviewer_name(name)) << name;
  }
  EXPECT_TRUE(is_reviewer_name(std::string(64, 'x')));
}

TEST(ReviewerName, IsNeitherEmptyNorLong) {
  EXPECT_FALSE(is_reviewer_name(""));
  EXPECT_FALSE(is_reviewer_name(std::string(65, 'x')));
  EXPECT_FALSE(is_reviewer_name("\xff"));
}

// Cc, Cf, Zl and Zp: with them a name could look like another, or change the line that it stands in.
TEST(ReviewerName, HasNoCharacterThatIsNotSeen) {
  for (const char* character :
       {"\n",     "\x1b",   "\x7f",   "\u0080", "\u0085",     "\u009b",    "\u00ad", "\u061c",
        "\u200b", "\u200d", "\u200e", "\u2028", "\u2029",     "\u202a",    "\u202e", "\u2060",
        "\u2066", "\u2069", "\ufeff", "\ufff9", "\U000E0001", "\U000E0041"}) {
    EXPECT_FALSE(is_reviewer_name("a" + std::string(character) + "b")) << character;
  }
  for (const char* character : {"\u00a0", "\u00ac", "\u2010", "\u2027", "\u202f", "\u2070", "\u3000"}) {
    EXPECT_TRUE(is_reviewer_name("a" + std::string(character) + "b")) << character;
  }
}

}  // namespace
}  // namespace qdedup
