#include "base/ascii.h"

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(TakeUntil, TakesUpToTheSeparatorOrEverything) {
  std::string_view text = "a,,bc";
  EXPECT_EQ(take_until(text, ','), "a");
  EXPECT_EQ(take_until(text, ','), "");
  EXPECT_EQ(take_until(text, ','), "bc");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_until(text, ','), "");
}

TEST(PercentEscape, TakesTwoHexadecimalDigits) {
  EXPECT_EQ(percent_escape("%4a/"), 'J');
  EXPECT_EQ(percent_escape("%FF"), '\xFF');
  for (const char* const other : {"", "%", "%4", "%4g", "%g4", "4a%"})
    EXPECT_EQ(percent_escape(other), std::nullopt) << other;
}

TEST(HasJsonSpecial, AgreesWithEachByteAtEachPlace) {
  for (unsigned byte = 0; byte < 0x100; ++byte) {
    for (std::size_t place = 0; place < 8; ++place) {
      std::array<char, 8> bytes{'a', ' ', '!', '\x7F', '\x80', '\xFF', '#', ']'};
      bytes[place] = static_cast<char>(byte);
      EXPECT_EQ(has_json_special(std::bit_cast<std::uint64_t>(bytes)),
                byte < 0x20 || byte == '"' || byte == '\\')
          << byte << " at " << place;
    }
  }
}

}  // namespace
}  // namespace qdedup
