#include "config/deletion_limit.h"

#include <charconv>
#include <optional>

namespace qdedup::config {
namespace {

constexpr std::uint64_t whole = 10'000;  // hundredths of a percent
constexpr std::size_t longest_number = 3;

std::optional<std::uint64_t> digits(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all && text.size() <= longest_number ? std::optional(number) : std::nullopt;
}

// "12.5" as 1250.
std::optional<std::uint64_t> hundredths(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto units = digits(text.substr(0, point));
  if (!units || point == std::string_view::npos) return units ? std::optional(*units * 100) : std::nullopt;
  const std::string_view decimals = text.substr(point + 1);
  const auto fraction = digits(decimals);
  if (!fraction || decimals.size() > 2) return std::nullopt;
  return *units * 100 + *fraction * (decimals.size() == 1 ? 10 : 1);
}

}  // namespace

bool DeletionLimit::exceeded_by(std::uint64_t deletions, std::uint64_t questions) const {
  switch (kind) {
    case Kind::none:
      return false;
    case Kind::count:
      return deletions > value;
    case Kind::share:
      return deletions * whole > value * questions;
  }
  return false;
}

Result<DeletionLimit> parse_deletion_limit(std::string_view text) {
  if (text == "none") return DeletionLimit{};
  const auto share = text.ends_with('%') ? hundredths(text.substr(0, text.size() - 1)) : std::nullopt;
  if (share && *share <= whole) return DeletionLimit{DeletionLimit::Kind::share, *share};
  return Error{ErrorCode::config, R"(must be a number, a share of the bank such as "5%", or "none")"};
}

std::string text_of(const DeletionLimit& limit) {
  if (limit.kind == DeletionLimit::Kind::none) return "none";
  if (limit.kind == DeletionLimit::Kind::count) return std::to_string(limit.value);
  std::string text = std::to_string(limit.value / 100);
  if (limit.value % 100 != 0) text += "." + std::to_string(limit.value % 100 + 100).substr(1);
  return text + "%";
}

}  // namespace qdedup::config
