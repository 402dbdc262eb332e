#include "review/percentage.h"

namespace qdedup::review {

namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

std::uint64_t whole_percent(std::uint64_t part, std::uint64_t whole) {
  if (part >= whole) return 100;
  return static_cast<std::uint64_t>(Wide{part} * 100 / whole);
}

std::uint64_t hundredths_of_percent(std::uint64_t part, std::uint64_t whole) {
  if (part >= whole) return 10'000;
  return static_cast<std::uint64_t>((Wide{part} * 20'000 + whole) / (Wide{whole} * 2));
}

std::string percent_digits(std::uint64_t hundredths) {
  const auto decimals = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (decimals.size() < 2 ? ".0" : ".") + decimals;
}

}  // namespace qdedup::review
