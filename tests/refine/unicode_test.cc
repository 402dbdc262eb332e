#include "refine/unicode.h"

#include <string>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

TEST(Unicode, DecodesEachLengthOfSequence) {
  EXPECT_EQ(to_utf32("a\u00E9\u5C0F\U0002000B"), U"a\u00E9\u5C0F\U0002000B");
}

TEST(Unicode, AnEmptyTextStaysEmpty) {
  EXPECT_EQ(to_utf32(""), U"");
  EXPECT_EQ(to_utf8(U""), "");
}

TEST(Unicode, KeepsNul) { EXPECT_EQ(to_utf32(std::string("a\0b", 3)), std::u32string(U"a\0b", 3)); }

TEST(Unicode, EachMalformedSequenceBecomesOneReplacementCharacter) {
  EXPECT_EQ(to_utf32("a\x80z"), U"a\uFFFDz");                              // a continuation byte alone
  EXPECT_EQ(to_utf32("a\xE5\xB0z"), U"a\uFFFDz");                          // cut short
  EXPECT_EQ(to_utf32("a\xE5\xB0"), U"a\uFFFD");                            // cut by the end
  EXPECT_EQ(to_utf32("\xF0\x9F\x98\xE5\xB0\x8F"), U"\uFFFD\u5C0F");        // cut by another sequence
  EXPECT_EQ(to_utf32("\xC0\xAF"), U"\uFFFD\uFFFD");                        // overlong
  EXPECT_EQ(to_utf32("\xED\xA0\x80"), U"\uFFFD\uFFFD\uFFFD");              // a surrogate
  EXPECT_EQ(to_utf32("\xF4\x90\x80\x80z"), U"\uFFFD\uFFFD\uFFFD\uFFFDz");  // beyond U+10FFFF
}

TEST(Unicode, EncodingUndoesDecodingForEveryCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    const std::u32string text(1, c);
    ASSERT_EQ(to_utf32(to_utf8(text)), text) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(Unicode, WhatIsNoCodePointIsEncodedAsReplacementCharacter) {
  EXPECT_EQ(to_utf8(std::u32string{0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF}), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace qdedup::refine
