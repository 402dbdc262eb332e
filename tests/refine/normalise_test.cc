#include "refine/normalise.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/reference/normalising.h"
#include "tests/refine/assigned.h"
#include "tests/refine/trap_text.h"

namespace qdedup::refine {
namespace {

std::string normal(std::string_view text) { return to_utf8(normalise(text)); }

TEST(Normalise, PutsACaretBeforeARunOfSuperscripts) {
  EXPECT_EQ(normal("10²"), "10^2");
  EXPECT_EQ(normal("10¹²m"), "10^12m");
  EXPECT_EQ(normal("x²y³"), "x^2y^3");
  EXPECT_EQ(normal("aⁿ⁺¹"), "a^n+1");
  EXPECT_EQ(normal("10⁻²"), "10^-2");
  EXPECT_EQ(normal("x⁽²⁾"), "x^(2)");
}

TEST(Normalise, SuperscriptsOutsideTheListGetNoMark) {
  EXPECT_EQ(normal("x\u2071"), "xi");
  EXPECT_EQ(normal("x\u02B0"), "xh");
}

TEST(Normalise, PutsAMarkBeforeARunOfSubscripts) {
  EXPECT_EQ(normal("H₂O"), "H\uE0002O");
  EXPECT_EQ(normal("a₁₂"), "a\uE00012");
  EXPECT_EQ(normal("x₍₁₎"), "x\uE000(1)");
}

TEST(Normalise, SubscriptsOutsideTheListGetNoMark) { EXPECT_EQ(normal("x\u2090"), "xa"); }

TEST(Normalise, ASuperscriptEndsARunOfSubscriptsAndTheOtherWayRound) {
  EXPECT_EQ(normal("a₁²₃"), "a\uE0001^2\uE0003");
}

TEST(Normalise, PutsBracketsAroundCircledCharacters) {
  EXPECT_EQ(normal("①2"), "(1)2");
  EXPECT_EQ(normal("⑳"), "(20)");
  EXPECT_EQ(normal("㊀ⓐ"), "(一)(a)");
}

TEST(Normalise, PutsBracketsAroundFractions) {
  EXPECT_EQ(normal("1½"), "1(1/2)");
  EXPECT_EQ(normal("⅓"), "(1/3)");
  EXPECT_EQ(normal("⅟2"), "(1/)2");
}

TEST(Normalise, AppliesNfkc) {
  EXPECT_EQ(normal("Ａ（１）：，．！　"), "A(1):,.! ");
  EXPECT_EQ(normal("㎡"), "m2");
  EXPECT_EQ(normal("Ⅳ"), "IV");
  EXPECT_EQ(normal("\u2F00\uF900"), "一豈");
  EXPECT_EQ(normal("e\u0301"), "é");
  EXPECT_EQ(normal("\u1112\u1161\u11AB"), "한");
  EXPECT_EQ(normal("ｶﾞ"), "ガ");
  EXPECT_EQ(normal("a\u0323\u0307"), normal("a\u0307\u0323"));
}

TEST(Normalise, MarksAlsoWhereTheTextNeedsComposing) {
  EXPECT_EQ(normal("e\u0301²₂①½－"), "é^2\uE0002(1)(1/2)-");
}

TEST(Normalise, WritesOneSlash) { EXPECT_EQ(normal("1⁄2∕3/4"), "1/2/3/4"); }

TEST(Normalise, WritesOneHyphen) { EXPECT_EQ(normal("‐ ‑ ‒ – −"), "- - - - -"); }

TEST(Normalise, KeepsTheDash) { EXPECT_EQ(normal("—"), "—"); }

TEST(Normalise, WritesOneRatioSign) { EXPECT_EQ(normal("1∶2"), "1:2"); }

TEST(Normalise, WritesAsciiDigits) { EXPECT_EQ(normal("٠١٩०१९𝟙𝟗"), "01901919"); }

TEST(Normalise, KeepsWhatIsNeitherMarkedNorComposed) {
  EXPECT_EQ(normal("小明有3个苹果。《春》〇々"), "小明有3个苹果。《春》〇々");
}

TEST(Normalise, ReplacesMalformedSequences) { EXPECT_EQ(normal("a\xE5\xB0z\x80"), "a\uFFFDz\uFFFD"); }

// ICU alone moves each mark past all that stand behind it: half an hour for these.
TEST(Normalise, PutsMillionsOfCombiningMarksInOrder) {
  constexpr std::size_t marks = 1'000'000;
  std::u32string text = U"q";
  for (std::size_t i = 0; i < marks; ++i) text += U"\u0301\u0323";
  EXPECT_TRUE(normalise(text) == U"q" + std::u32string(marks, U'\u0323') + std::u32string(marks, U'\u0301'));
}

TEST(Normalise, AnEmptyTextStaysEmpty) { EXPECT_EQ(normal(""), ""); }

TEST(NormaliseTwin, AgreesOnEveryAssignedCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_assigned(c)) continue;
    const std::string text = to_utf8(std::u32string{U'1', c, c, U'2'});
    ASSERT_EQ(normalise(text), reference::normalise(text)) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(NormaliseTwin, AgreesOnEveryPairOfTraps) {
  for (const char32_t a : trap_alphabet) {
    for (const char32_t b : trap_alphabet) {
      const std::string text = to_utf8(std::u32string{U'a', a, b, U'1'});
      ASSERT_EQ(normalise(text), reference::normalise(text)) << text;
    }
  }
}

TEST(NormaliseTwin, AgreesOnRandomTraps) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = to_utf8(trap_text(random, random() % 12));
    ASSERT_EQ(normalise(text), reference::normalise(text)) << text;
  }
}

// Marks of many classes, characters that become such marks or end in them, and others that combine.
TEST(NormaliseTwin, AgreesOnLongRunsOfMarks) {
  constexpr std::u32string_view marks =
      U"\u0301\u0323\u0315\u0327\u0334\u0344\u0345\u035C\u05B0\u064B\u0F71\u0F72\u0F73\u0F75\u0F81\u1DCE"
      U"\u3099\uFF9E"
      U"\U0001D165\U0001D16D";
  constexpr std::u32string_view others =
      U"aq1中\u00E9\u1E69\u01D6\u0F40\u0FB2\u1100\u1161\u11A8\uAC00\u09C7\u09BE\u30AB\uFF76\uFB2C²₂①½\u2126"
      U"\uFDFA"
      U"\U0001D15F";
  std::mt19937_64 random(5);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t one_other_in = 1 + random() % 100;
    std::u32string text;
    for (std::uint64_t left = random() % 200; left > 0; --left) {
      const std::u32string_view from = random() % one_other_in == 0 ? others : marks;
      text += from[random() % from.size()];
    }
    const std::string bytes = to_utf8(text);
    ASSERT_EQ(normalise(bytes), reference::normalise(bytes)) << bytes;
  }
}

TEST(NormaliseTwin, AgreesOnRandomBytes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = to_utf8(trap_text(random, random() % 8));
    for (char& byte : bytes) {
      if (random() % 4 == 0) byte = static_cast<char>(random());
    }
    ASSERT_EQ(normalise(bytes), reference::normalise(bytes));
  }
}

}  // namespace
}  // namespace qdedup::refine
