#include "import/arrival_time.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "base/ascii.h"
#include "base/parse_number.h"

namespace qdedup::import {
namespace {

constexpr std::int64_t last_second = 253'402'300'799;

// Does the text look like this, with any digit for a 0?
bool has_form(std::string_view text, std::string_view form) {
  return std::ranges::equal(text, form, [](char c, char wanted) {
    if (wanted == 'T') return c == 'T' || c == 't' || c == ' ';
    return wanted == '0' ? is_digit(c) : c == wanted;
  });
}

// The number of digits that are there.
int digits_at(std::string_view text, std::size_t place, std::size_t digits = 2) {
  return parse_number<int>(text.substr(place, digits)).value_or(0);
}

// How much a clock there is ahead of UTC.
std::optional<std::chrono::minutes> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes(0);
  if (!has_form(text, "+00:00") && !has_form(text, "-00:00")) return std::nullopt;
  const int hours = digits_at(text, 1);
  const int minutes = digits_at(text, 4);
  if (hours > 23 || minutes > 59) return std::nullopt;
  const std::chrono::minutes offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return text.front() == '-' ? -offset : offset;
}

std::optional<std::int64_t> parse_rfc3339(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  if (!has_form(text.substr(0, form.size()), form)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(digits_at(text, 0, 4)),
                                         std::chrono::month(static_cast<unsigned>(digits_at(text, 5))),
                                         std::chrono::day(static_cast<unsigned>(digits_at(text, 8)))};
  const int hours = digits_at(text, 11);
  const int minutes = digits_at(text, 14);
  const int seconds = digits_at(text, 17);
  if (!date.ok() || date.year() < std::chrono::year(1970) || hours > 23 || minutes > 59 || seconds > 60)
    return std::nullopt;
  text.remove_prefix(form.size());
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return std::nullopt;
    text.remove_prefix(end);
  }
  const auto offset = parse_offset(text);
  if (!offset) return std::nullopt;
  const auto time = std::chrono::hours(hours) + std::chrono::minutes(minutes) +
                    std::chrono::seconds(std::min(seconds, 59)) - *offset;
  return (std::chrono::sys_days(date) + time).time_since_epoch().count();
}

}  // namespace

std::optional<std::int64_t> parse_arrival_time(std::string_view text) {
  auto seconds = parse_number<std::int64_t>(text);
  if (!seconds) seconds = parse_rfc3339(text);
  return seconds && *seconds >= 0 && *seconds <= last_second ? seconds : std::nullopt;
}

}  // namespace qdedup::import
