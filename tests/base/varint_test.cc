#include "base/varint.h"

#include <random>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

using namespace std::string_literals;

std::string varint(std::uint64_t value) {
  std::string bytes;
  put_varint(bytes, value);
  return bytes;
}

void expect_back(std::uint64_t value) {
  const std::string bytes = varint(value) + "rest";
  std::string_view left = bytes;
  EXPECT_EQ(take_varint(left), value);
  EXPECT_EQ(left, "rest") << value;
}

TEST(Varint, HasSevenBitsAByte) {
  EXPECT_EQ(varint(0), "\0"s);
  EXPECT_EQ(varint(127), "\x7F");
  EXPECT_EQ(varint(128), "\x80\x01");
  EXPECT_EQ(varint(300), "\xAC\x02");
  EXPECT_EQ(varint(~std::uint64_t{0}), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(Varint, ComesBackAtEveryLength) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    for (const std::uint64_t value : {power - 1, power, power + 1}) expect_back(value);
  }
  expect_back(~std::uint64_t{0});
}

TEST(Varint, ComesBackWhateverItIs) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) expect_back(random() >> random() % 64);
}

TEST(Varint, IsRefusedWhereItIsNotAsWritten) {
  const std::string nine = "\x80\x80\x80\x80\x80\x80\x80\x80\x80";
  const struct {
    const char* what;
    std::string bytes;
  } cases[] = {
      {"nothing", ""},
      {"cut short", "\x80"},
      {"cut short after nine", nine},
      {"zero in two bytes", "\x80\x00"s},
      {"five in three bytes", "\x85\x80\x00"s},
      {"65 bits", nine + "\x02"},
      {"70 bits", nine + "\x7F"},
      {"zero as the tenth", nine + "\0"s},
      {"11 bytes", nine + "\x80\x01"},
      {"11 bytes, the tenth with a bit", nine + "\x81\x01"},
  };
  for (const auto& [what, bytes] : cases) {
    std::string_view left = bytes;
    EXPECT_EQ(take_varint(left), std::nullopt) << what;
    EXPECT_EQ(left, bytes) << what;
  }
}

}  // namespace
}  // namespace qdedup
