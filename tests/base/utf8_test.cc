#include "base/utf8.h"

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "tests/reference/utf8_decoding.h"
#include "tests/support/sampled.h"

namespace qdedup {
namespace {

using namespace std::string_view_literals;

TEST(IsUtf8, TakesWellFormedText) {
  for (const std::string_view text :
       {""sv, "plain"sv, "\0"sv, "\x7f"sv, "é"sv, "小明买10本书"sv, "😀"sv, "\xC2\x80"sv, "\xDF\xBF"sv,
        "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv,
        "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(IsUtf8, RefusesIllFormedText) {
  const struct {
    std::string_view what, text;
  } rows[] = {
      {"continuation alone", "\x80"},
      {"overlong 2", "\xC0\x80"},
      {"overlong 2", "\xC1\xBF"},
      {"overlong 3", "\xE0\x9F\xBF"},
      {"overlong 4", "\xF0\x8F\xBF\xBF"},
      {"first surrogate", "\xED\xA0\x80"},
      {"last surrogate", "\xED\xBF\xBF"},
      {"beyond U+10FFFF", "\xF4\x90\x80\x80"},
      {"no lead byte", "\xF5\x80\x80\x80"},
      {"no lead byte", "\xFF"},
      {"cut after 1 of 2", "\xC3"},
      {"cut after 2 of 3", "\xE5\xB0"},
      {"cut after 3 of 4", "\xF0\x9F\x98"},
      {"ASCII inside", "\xE5\xB0x"},
      {"behind a long run of ASCII", "0123456789abcdef\xFF"},
  };
  for (const auto& row : rows) EXPECT_FALSE(is_utf8(row.text)) << row.what;
}

TEST(IsUtf8, AgreesWithItsTwinOnEveryShortSequence) {
  for (unsigned first = 0x80; first < 0x100; ++first) {
    for (unsigned second = 0; second < 0x100; ++second) {
      for (const std::string_view tail :
           {""sv, "\x80"sv, "\xBF"sv, "\x80\x80"sv, "\xBF\xBF"sv, "\x80x"sv, "\xC3\xA9"sv}) {
        const std::string text =
            std::string{static_cast<char>(first), static_cast<char>(second)}.append(tail);
        ASSERT_EQ(is_utf8(text), reference::is_utf8(text)) << first << ' ' << second;
      }
    }
  }
}

TEST(IsUtf8, AgreesWithItsTwinOnDamagedText) {
  std::mt19937_64 random(1);
  const std::string whole = "ASCII text, then 小明买了10本书 é😀 and ASCII again, long enough";
  for (int i = 0; i < sampled(100'000); ++i) {
    std::string text = whole.substr(random() % whole.size());
    text.resize(random() % (text.size() + 1));
    if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
    ASSERT_EQ(is_utf8(text), reference::is_utf8(text)) << text;
  }
}

TEST(WellFormedLength, IsThatOfTheFirstCharacter) {
  const std::pair<std::string_view, std::size_t> rows[] = {{"ab", 1},       {"\0"sv, 1},    {"éa", 2},
                                                           {"小明", 3},     {"😀", 4},       {"\x80", 0},
                                                           {"\xE5\xB0", 0}, {"\xC0\x80", 0}};
  for (const auto& [text, length] : rows) EXPECT_EQ(well_formed_length(text), length) << text;
}

TEST(WholeCharacters, SplitsNone) {
  const std::string_view text = "a小😀";
  for (const auto& [most, size] : std::array<std::array<std::size_t, 2>, 9>{
           {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 4}, {5, 4}, {7, 4}, {8, 8}, {99, 8}}}) {
    EXPECT_EQ(whole_characters(text, most), text.substr(0, size)) << most;
  }
  EXPECT_EQ(whole_characters("\x80\x80\x80\x80\x80\x80\x80", 6), "\x80\x80");
  EXPECT_EQ(shortened(text, 5), "a小…");
  EXPECT_EQ(shortened(text, 8), text);
}

TEST(ByteOrderMark, IsTakenOffOnce) {
  EXPECT_EQ(without_byte_order_mark("\uFEFFa\uFEFF"), "a\uFEFF");
  EXPECT_EQ(without_byte_order_mark("\uFEFF\uFEFF"), "\uFEFF");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB");
}

// Blocks of 64 bytes are looked at at once: damage at any place of them.
TEST(IsUtf8, AgreesWithItsTwinOnDamagedBlocks) {
  std::mt19937_64 random(2);
  constexpr std::array<std::string_view, 7> pieces = {
      "小", "，", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80"};
  for (int i = 0; i < sampled(100'000); ++i) {
    std::string text;
    for (std::size_t left = random() % 70; left > 0; --left)
      text += pieces[random() % 8 == 0 ? random() % 7 : 0];
    if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
    ASSERT_EQ(is_utf8(text), reference::is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace qdedup
