#include "review/percentage.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

constexpr std::uint64_t greatest = UINT64_MAX;

TEST(Percentage, WholePercentRoundsDown) {
  EXPECT_EQ(whole_percent(0, 3), 0U);
  EXPECT_EQ(whole_percent(2, 3), 66U);
  EXPECT_EQ(whole_percent(79, 100), 79U);
  EXPECT_EQ(whole_percent(799, 1000), 79U);
  EXPECT_EQ(whole_percent(8, 10), 80U);
  EXPECT_EQ(whole_percent(greatest - 1, greatest), 99U);
  EXPECT_EQ(whole_percent(greatest, greatest), 100U);
}

TEST(Percentage, OfNothingIsAll) {
  EXPECT_EQ(whole_percent(0, 0), 100U);
  EXPECT_EQ(hundredths_of_percent(0, 0), 10'000U);
}

TEST(Percentage, MoreThanTheWholeIsAll) {
  EXPECT_EQ(whole_percent(7, 5), 100U);
  EXPECT_EQ(hundredths_of_percent(greatest, 1), 10'000U);
}

TEST(Percentage, HundredthsRoundHalfUp) {
  for (std::uint64_t whole = 1; whole <= 400; ++whole) {
    for (std::uint64_t part = 0; part <= whole; ++part) {
      const auto hundredths = hundredths_of_percent(part, whole);
      EXPECT_LE(2 * hundredths * whole, 20'000 * part + whole) << part << " of " << whole;
      EXPECT_GT(2 * hundredths * whole + whole, 20'000 * part) << part << " of " << whole;
    }
  }
}

TEST(Percentage, HundredthsDoNotOverflow) {
  EXPECT_EQ(hundredths_of_percent(greatest / 2, greatest), 5'000U);
  EXPECT_EQ(hundredths_of_percent(greatest - 1, greatest), 10'000U);
  EXPECT_EQ(hundredths_of_percent(1, greatest), 0U);
}

TEST(Percentage, DigitsHaveTwoDecimals) {
  EXPECT_EQ(percent_digits(0), "0.00");
  EXPECT_EQ(percent_digits(7), "0.07");
  EXPECT_EQ(percent_digits(70), "0.70");
  EXPECT_EQ(percent_digits(6'667), "66.67");
  EXPECT_EQ(percent_digits(10'000), "100.00");
}

}  // namespace
}  // namespace qdedup::review
