#include "schedule/schedule.h"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <utility>

#include <date/tz.h>

#include "base/ascii.h"
#include "base/parse_number.h"

namespace qdedup::schedule {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_seconds;
using std::chrono::weeks;

// 1970-01-01 was a Thursday.
constexpr std::array<std::string_view, 7> weekdays = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};

// "HH:MM" as the time since midnight.
std::optional<seconds> time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = parse_number<unsigned>(text.substr(0, 2));
  const auto minute = parse_number<unsigned>(text.substr(3));
  if (!hour || !minute || *hour >= 24 || *minute >= 60) return std::nullopt;
  return hours(*hour) + minutes(*minute);
}

}  // namespace

Result<const date::time_zone*> find_time_zone(const std::string& name) {
  try {
    const date::time_zone* zone = date::locate_zone(name);
    // The library reads a zone when it is first used; doing so here means that later calls do not throw.
    static_cast<void>(zone->get_info(sys_seconds()));
    return zone;
  } catch (const std::exception&) {
    return Error{ErrorCode::config,
                 "no time zone \"" + name + "\" in the system's database (package tzdata)"};
  }
}

Result<Recurrence> parse_recurrence(std::string_view every) {
  if (every == "off") return Recurrence{};
  if (every == "hourly") return Recurrence{.period = hours(1)};
  const std::string_view day = take_until(every, ' ');
  if (const auto time = time_of_day(every)) {
    if (day == "daily") return Recurrence{days(1), *time};
    const auto* const weekday = std::ranges::find(weekdays, day);
    if (weekday != weekdays.end()) return Recurrence{weeks(1), days(weekday - weekdays.begin()) + *time};
  }
  return Error{ErrorCode::config,
               R"(must be "Sun 03:00" (or another day), "daily 03:00", "hourly" or "off")"};
}

Result<Schedule> Schedule::parse(const std::string& every, const std::string& time_zone) {
  const Result<Recurrence> recurrence = parse_recurrence(every);
  if (!recurrence.ok()) return Error(recurrence.error()).within("schedule.every");
  const Result<const date::time_zone*> zone = find_time_zone(time_zone);
  if (!zone.ok()) return Error(zone.error()).within("schedule.time_zone");
  return Schedule(*recurrence, *zone);
}

sys_seconds Schedule::first_moment(local_seconds local) const {
  const date::local_info info = zone_->get_info(date::local_seconds(local.time_since_epoch()));
  if (info.result == date::local_info::nonexistent) return info.first.end;
  return sys_seconds(local.time_since_epoch() - info.first.offset);
}

local_seconds Schedule::latest_reached(sys_seconds now) const {
  // No clock was ever put back by more than a day, so nothing later than that was reached before.
  const local_seconds end(now.time_since_epoch() + zone_->get_info(now).offset + days(1));
  const seconds since = end.time_since_epoch() - recurrence_.phase;
  local_seconds time = end - (since % recurrence_.period + recurrence_.period) % recurrence_.period;
  while (first_moment(time) > now) time -= recurrence_.period;
  return time;
}

std::optional<sys_seconds> Schedule::latest_slot(sys_seconds now) const {
  if (recurrence_.period == seconds(0)) return std::nullopt;
  return first_moment(latest_reached(now));
}

std::optional<sys_seconds> Schedule::next_slot(sys_seconds now) const {
  if (recurrence_.period == seconds(0)) return std::nullopt;
  local_seconds time = latest_reached(now);
  while (first_moment(time) <= now) time += recurrence_.period;
  return first_moment(time);
}

Due due(const Schedule& schedule, sys_seconds now, const std::vector<sys_seconds>& recorded) {
  const std::optional<sys_seconds> slot = schedule.latest_slot(now);
  const auto later = std::upper_bound(recorded.begin(), recorded.end(), now);
  const bool fresh = later == recorded.begin();
  if (!slot || (!fresh && *std::prev(later) >= *slot)) return {};
  return fresh ? Due{Due::Action::note, now} : Due{Due::Action::run, *slot};
}

}  // namespace qdedup::schedule
