#include "refine/unicode.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unicode/utf8.h>

namespace qdedup::refine {
namespace {

TEST(Unicode, EachMalformedSequenceBecomesOneReplacementCharacter) {
  EXPECT_EQ(to_utf32("a\x80z"), U"a\uFFFDz");                              // a continuation byte alone
  EXPECT_EQ(to_utf32("a\xE5\xB0z"), U"a\uFFFDz");                          // cut short
  EXPECT_EQ(to_utf32("a\xE5\xB0"), U"a\uFFFD");                            // cut by the end
  EXPECT_EQ(to_utf32("\xF0\x9F\x98\xE5\xB0\x8F"), U"\uFFFD\u5C0F");        // cut by another sequence
  EXPECT_EQ(to_utf32("\xC0\xAF"), U"\uFFFD\uFFFD");                        // overlong
  EXPECT_EQ(to_utf32("\xED\xA0\x80"), U"\uFFFD\uFFFD\uFFFD");              // a surrogate
  EXPECT_EQ(to_utf32("\xF4\x90\x80\x80z"), U"\uFFFD\uFFFD\uFFFD\uFFFDz");  // beyond U+10FFFF
}

std::u32string one_by_one(std::string_view text) {
  std::u32string code_points;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    UChar32 code_point = 0;
    U8_NEXT_OR_FFFD(bytes, at, text.size(), code_point);
    code_points += static_cast<char32_t>(code_point);
  }
  return code_points;
}

// Blocks of 64 bytes are decoded at once: ICU's macro is the slow twin.
TEST(Unicode, DecodingBlocksAgreesWithDecodingEach) {
  std::mt19937_64 random(7);
  constexpr std::array<std::string_view, 9> pieces = {
      "小", "，", "1", "é", "\U0002000B", "\xE0\xA0\x80", "\xED\xA0\x80", "\xE0\x9F\xBF", "\xEF\xBF\xBF"};
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    for (std::size_t left = random() % 70; left > 0; --left)
      text += pieces[random() % 4 == 0 ? random() % 9 : 0];
    if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
    text.resize(text.size() - random() % (text.size() + 1) / 4);
    ASSERT_EQ(to_utf32(text), one_by_one(text)) << text;
  }
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
