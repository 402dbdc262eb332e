#include "import/arrival_time.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

#include "base/clock.h"
#include "base/parse_number.h"

namespace qdedup::import {
namespace {

constexpr std::int64_t last_second = 253'402'300'799;

// How much a clock there is ahead of UTC: by "Z", or "+08:00".
std::optional<std::chrono::minutes> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes(0);
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const auto hours = parse_number<unsigned>(text.substr(1, 2));
  const auto minutes = parse_number<unsigned>(text.substr(4));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::chrono::minutes offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return text[0] == '-' ? -offset : offset;
}

std::optional<std::int64_t> parse_rfc3339(std::string_view text) {
  constexpr std::size_t bytes = std::string_view("0000-00-00T00:00:00").size();
  constexpr std::size_t date_bytes = std::string_view("0000-00-00").size();
  if (text.size() < bytes) return std::nullopt;
  std::string moment(text.substr(0, bytes));
  if (moment[date_bytes] == 't' || moment[date_bytes] == ' ') moment[date_bytes] = 'T';
  if (moment.ends_with(":60")) moment.replace(bytes - 2, 2, "59");
  const auto time = parse_timestamp(moment + 'Z');
  text.remove_prefix(bytes);
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return std::nullopt;
    text.remove_prefix(end);
  }
  const auto offset = parse_offset(text);
  if (!time || !offset || *time < std::chrono::sys_seconds()) return std::nullopt;
  return (*time - *offset).time_since_epoch().count();
}

}  // namespace

std::optional<std::int64_t> parse_arrival_time(std::string_view text) {
  auto seconds = parse_number<std::int64_t>(text);
  if (!seconds) seconds = parse_rfc3339(text);
  return seconds && *seconds >= 0 && *seconds <= last_second ? seconds : std::nullopt;
}

}  // namespace qdedup::import
