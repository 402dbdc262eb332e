#include "refine/parts.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/reference/normalising.h"
#include "tests/reference/splitting.h"
#include "tests/refine/assigned.h"
#include "tests/refine/trap_text.h"

namespace qdedup::refine {
namespace {

using Signs = std::vector<std::string>;

Signs signs_of(std::string_view text) { return sign_list(parts_of(text)); }
std::string han_of(std::string_view text) { return to_utf8(parts_of(text).han); }

// One test for each row of the table of doc/rules.md, 3.2, in its order.

TEST(Split, HanGoesToTheHanPart) {
  EXPECT_EQ(han_of("小明有3个苹果。"), "小明有个苹果");
  EXPECT_EQ(signs_of("小明有3个苹果。"), Signs{"3"});
}

TEST(Split, HanIsAScriptNotACategory) {
  EXPECT_EQ(han_of("〇々〡〸"), "〇々〡十");
  EXPECT_EQ(han_of("\u2E80\u3400\U00020000\U0003134A"), "\u2E80\u3400\U00020000\U0003134A");
  EXPECT_EQ(signs_of("〇々〡〸\u2E80"), Signs{});
}

TEST(Split, ANumberIsOneSign) {
  EXPECT_EQ(signs_of("12和3"), (Signs{"12", "3"}));
  EXPECT_EQ(signs_of("3 12"), (Signs{"3", "12"}));
  EXPECT_EQ(signs_of("31 2"), (Signs{"31", "2"}));
  EXPECT_EQ(signs_of("007"), Signs{"007"});
}

TEST(Split, ANumberTakesItsDecimalPart) {
  EXPECT_EQ(signs_of("1.2"), Signs{"1.2"});
  EXPECT_EQ(signs_of("1.2.3"), (Signs{"1.2", "3"}));
  EXPECT_EQ(signs_of("1..2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("1.a"), (Signs{"1", "a"}));
  EXPECT_EQ(signs_of("1. 2."), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of(".5"), Signs{"5"});
}

TEST(Split, AnyOtherLetterIsASignAndKeepsItsCase) {
  EXPECT_EQ(signs_of("aAΔあガ한é"), (Signs{"a", "A", "Δ", "あ", "ガ", "한", "é"}));
}

TEST(Split, TheSubscriptMarkIsASign) { EXPECT_EQ(signs_of("H₂"), (Signs{"H", "\uE000", "2"})); }

TEST(Split, BracketsAroundADigitOrLetterAreSigns) {
  EXPECT_EQ(signs_of("(1)"), (Signs{"(", "1", ")"}));
  EXPECT_EQ(signs_of("[a]{+b}"), (Signs{"[", "a", "]", "{", "+", "b", "}"}));
  EXPECT_EQ(signs_of("2(（3+1）)"), (Signs{"2", "(", "(", "3", "+", "1", ")", ")"}));
}

TEST(Split, BracketsAroundHanAreDropped) {
  EXPECT_EQ(signs_of("(大1)"), Signs{"1"});
  EXPECT_EQ(signs_of("((1)大)"), (Signs{"(", "1", ")"}));
  EXPECT_EQ(signs_of("大(1)大"), (Signs{"(", "1", ")"}));
}

TEST(Split, BracketsAroundNeitherDigitNorLetterAreDropped) {
  EXPECT_EQ(signs_of("(  )[+]{}"), Signs{"+"});
  EXPECT_EQ(signs_of("1()2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("(\uE000)"), Signs{"\uE000"});
}

TEST(Split, BracketsThatDoNotCloseAreDropped) {
  EXPECT_EQ(signs_of("(1"), Signs{"1"});
  EXPECT_EQ(signs_of("1)"), Signs{"1"});
  EXPECT_EQ(signs_of("((1)"), (Signs{"(", "1", ")"}));
  EXPECT_EQ(signs_of("(1))"), (Signs{"(", "1", ")"}));
}

TEST(Split, AWrongClosingBracketMakesAllOpenOnesForgotten) {
  EXPECT_EQ(signs_of("{(1]2)3}"), (Signs{"1", "2", "3"}));
  EXPECT_EQ(signs_of("([1)](2)"), (Signs{"1", "(", "2", ")"}));
}

TEST(Split, AColonBetweenDigitsLettersOrRoundBracketsIsASign) {
  EXPECT_EQ(signs_of("1:2"), (Signs{"1", ":", "2"}));
  EXPECT_EQ(signs_of("a \u3000： \t b"), (Signs{"a", ":", "b"}));
  EXPECT_EQ(signs_of("(1):(2)"), (Signs{"(", "1", ")", ":", "(", "2", ")"}));
  EXPECT_EQ(signs_of("():)"), Signs{":"});
}

TEST(Split, AnyOtherColonIsDropped) {
  EXPECT_EQ(signs_of("1:"), Signs{"1"});
  EXPECT_EQ(signs_of(":1"), Signs{"1"});
  EXPECT_EQ(signs_of("解:1"), Signs{"1"});
  EXPECT_EQ(signs_of("1:大"), Signs{"1"});
  EXPECT_EQ(signs_of("1::2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("[1]:[2]"), (Signs{"[", "1", "]", "[", "2", "]"}));
  EXPECT_EQ(signs_of("1:\u200B2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("1:\uE0002"), (Signs{"1", "\uE000", "2"}));
  EXPECT_EQ(signs_of(" : "), Signs{});
}

TEST(Split, ACommaBetweenDigitsIsASign) {
  EXPECT_EQ(signs_of("1,000"), (Signs{"1", ",", "000"}));
  EXPECT_EQ(signs_of("1，2.5，3"), (Signs{"1", ",", "2.5", ",", "3"}));
}

TEST(Split, AnyOtherCommaIsDropped) {
  EXPECT_EQ(signs_of("1, 2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("1 ,2"), (Signs{"1", "2"}));
  EXPECT_EQ(signs_of("a,1"), (Signs{"a", "1"}));
  EXPECT_EQ(signs_of(",1,"), Signs{"1"});
}

TEST(Split, AnExclamationMarkAfterADigitLetterOrRoundBracketIsASign) {
  EXPECT_EQ(signs_of("5!"), (Signs{"5", "!"}));
  EXPECT_EQ(signs_of("n！"), (Signs{"n", "!"}));
  EXPECT_EQ(signs_of("(n)!"), (Signs{"(", "n", ")", "!"}));
  EXPECT_EQ(signs_of(")!"), Signs{"!"});
}

TEST(Split, AnyOtherExclamationMarkIsDropped) {
  EXPECT_EQ(signs_of("!好!"), Signs{});
  EXPECT_EQ(signs_of("5 !"), Signs{"5"});
  EXPECT_EQ(signs_of("5!!"), (Signs{"5", "!"}));
  EXPECT_EQ(signs_of("]!\uE000!"), Signs{"\uE000"});
}

TEST(Split, SymbolsAndNumbersThatAreNoDigitsAreSigns) {
  EXPECT_EQ(signs_of("+<=>|~×÷√≈"), (Signs{"+", "<", "=", ">", "|", "~", "×", "÷", "√", "≈"}));  // Sm
  EXPECT_EQ(signs_of("$€"), (Signs{"$", "€"}));                                                  // Sc
  EXPECT_EQ(signs_of("^`"), (Signs{"^", "`"}));                                                  // Sk
  EXPECT_EQ(signs_of("°△□"), (Signs{"°", "△", "□"}));                                            // So
  EXPECT_EQ(signs_of("\u0BF0"), Signs{"\u0BF0"});                                                // No
  EXPECT_EQ(signs_of("\u16EE"), Signs{"\u16EE"});                                                // Nl
}

TEST(Split, SomePunctuationIsASign) {
  EXPECT_EQ(signs_of("-*/%‰‱′"), (Signs{"-", "*", "/", "%", "‰", "‱", "′"}));
  EXPECT_EQ(signs_of("5″"), (Signs{"5", "′", "′"}));  // by NFKC
  EXPECT_EQ(sign_list(split(U"\u2033")), Signs{"″"});
}

TEST(Split, AllElseIsDropped) {
  EXPECT_EQ(signs_of(" \t\n。、？；“”‘’《》【】…—·_&#@\\'\"?;"), Signs{});
  EXPECT_EQ(signs_of("\u20D7\u200B\uE001\uFFFF"), Signs{});
  EXPECT_EQ(signs_of(std::string("\0", 1)), Signs{});
}

TEST(Split, WhatIsNoCodePointIsDropped) {
  EXPECT_EQ(split(std::u32string{U'1', 0xD800, 0x110000, 0xFFFFFFFF, U'2'}), split(U"1\u3002\u3002\u30022"));
}

TEST(Split, WhereHanStandsBetweenTheSignsDoesNotMatter) {
  EXPECT_EQ(parts_of("1大2小3"), parts_of("大1 2 3小"));
}

TEST(Split, AnEmptyTextHasEmptyParts) { EXPECT_EQ(parts_of(""), Parts()); }

TEST(Parts, EachSignIsFollowedByItsEnd) { EXPECT_EQ(parts_of("12大a").signs, std::u32string(U"12\0a\0", 5)); }

TEST(Parts, WholeNumbersAreCompared) {
  EXPECT_NE(parts_of("3 12").signs, parts_of("31 2").signs);
  EXPECT_NE(parts_of("1.2").signs, parts_of("12").signs);
}

TEST(Parts, MarkedCharactersDifferFromPlainOnes) {
  EXPECT_NE(parts_of("10²").signs, parts_of("102").signs);
  EXPECT_NE(parts_of("1½").signs, parts_of("11/2").signs);
  EXPECT_NE(parts_of("①2").signs, parts_of("12").signs);
}

TEST(SignFingerprint, IsEqualForEqualSignsOnly) {
  EXPECT_EQ(sign_fingerprint(parts_of("大1+1")), sign_fingerprint(parts_of("1小＋1。")));
  EXPECT_NE(sign_fingerprint(parts_of("3 12")), sign_fingerprint(parts_of("31 2")));
}

// The fingerprint is stored: these values must never change.
TEST(SignFingerprint, StaysTheSameForEver) {
  EXPECT_EQ(sign_fingerprint(parts_of("")), 0x2D06800538D394C2U);
  EXPECT_EQ(sign_fingerprint(parts_of("1+1")), 8984474051600877896U);
}

void expect_like_twin(std::u32string_view text) {
  const reference::SplitText twin = reference::split(text);
  Signs twin_signs;
  for (const std::u32string& sign : twin.signs) twin_signs.push_back(to_utf8(sign));
  const Parts parts = split(text);
  ASSERT_EQ(parts.han, twin.han) << to_utf8(text);
  ASSERT_EQ(sign_list(parts), twin_signs) << to_utf8(text);
}

TEST(SplitTwin, AgreesOnEveryAssignedCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_assigned(c)) continue;
    ASSERT_NO_FATAL_FAILURE(expect_like_twin(std::u32string{U'(', c, U':', U'1', U')', c, U'!'}));
  }
}

TEST(SplitTwin, AgreesOnRandomTraps) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_like_twin(trap_text(random, random() % 16)));
  }
}

TEST(SplitTwin, AgreesOnRandomBrackets) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_like_twin(trap_text(random, random() % 24, U"()[]{}1a.,:! +\u5927")));
  }
}

TEST(SplitTwin, AgreesOnALongText) {
  std::mt19937_64 random(5);
  expect_like_twin(trap_text(random, 3000));
}

// Texts whose code points become one each are normalised and split in one go.
void expect_parts_like_twins(std::u32string_view text) {
  const std::string bytes = to_utf8(text);
  const reference::SplitText twin = reference::split(reference::normalise(bytes));
  const Parts parts = parts_of(bytes);
  ASSERT_EQ(parts.han, twin.han) << bytes;
  Signs twin_signs;
  for (const std::u32string& sign : twin.signs) twin_signs.push_back(to_utf8(sign));
  ASSERT_EQ(sign_list(parts), twin_signs) << bytes;
}

TEST(PartsTwins, AgreeOnEveryAssignedCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_assigned(c)) continue;
    ASSERT_NO_FATAL_FAILURE(expect_parts_like_twins(std::u32string{U'(', c, U':', U'1', U')', c, U'!'}));
  }
}

TEST(PartsTwins, AgreeOnWhatNobodyHasAssigned) {
  for (char32_t c = 0x3FF00; c <= 0x10FFFF; c += 61) {
    ASSERT_NO_FATAL_FAILURE(expect_parts_like_twins(std::u32string{U'1', c, U':', U'2'}));
  }
}

TEST(PartsTwins, AgreeOnTraps) {
  std::mt19937_64 random(6);
  const std::u32string singles =
      U"\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF11\uFF1A\uFF21\u3000\u2236\u2212\u0661\u2126ab1.,:!()大";
  for (int i = 0; i < 20000; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_parts_like_twins(trap_text(random, random() % 16)));
    ASSERT_NO_FATAL_FAILURE(expect_parts_like_twins(trap_text(random, random() % 24, singles)));
  }
}

}  // namespace
}  // namespace qdedup::refine
