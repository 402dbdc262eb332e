#include "schedule/recurrence.h"

#include <algorithm>
#include <array>
#include <optional>

namespace qdedup::schedule {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::weeks;

// 1970-01-01 was a Thursday.
constexpr std::array<std::string_view, 7> weekdays = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};

std::optional<int> two_digits(std::string_view text, int below) {
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : 100; };
  const int number = digit(0) * 10 + digit(1);
  return number < below ? std::optional(number) : std::nullopt;
}

// "HH:MM" as the time since midnight.
std::optional<seconds> time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const std::optional<int> hour = two_digits(text.substr(0, 2), 24);
  const std::optional<int> minute = two_digits(text.substr(3), 60);
  if (!hour || !minute) return std::nullopt;
  return hours(*hour) + minutes(*minute);
}

}  // namespace

Result<Recurrence> Recurrence::parse(std::string_view every) {
  if (every == "off") return Recurrence(seconds(0), seconds(0));
  if (every == "hourly") return Recurrence(hours(1), seconds(0));
  const std::size_t space = std::min(every.find(' '), every.size());
  const std::string_view day = every.substr(0, space);
  if (const auto time = time_of_day(every.substr(std::min(space + 1, every.size())))) {
    if (day == "daily") return Recurrence(days(1), *time);
    const auto* const weekday = std::ranges::find(weekdays, day);
    if (weekday != weekdays.end()) return Recurrence(weeks(1), days(weekday - weekdays.begin()) + *time);
  }
  return Error{ErrorCode::config,
               R"(must be "Sun 03:00" (or another day), "daily 03:00", "hourly" or "off")"};
}

LocalSeconds Recurrence::latest(LocalSeconds time) const {
  const seconds since = time.time_since_epoch() - phase_;
  const seconds into = (since % period_ + period_) % period_;
  return time - into;
}

}  // namespace qdedup::schedule
