#include "schedule/schedule.h"

#include <utility>

namespace qdedup::schedule {

using std::chrono::sys_seconds;

Result<Schedule> Schedule::parse(const std::string& every, const std::string& time_zone) {
  Result<Recurrence> recurrence = Recurrence::parse(every);
  if (!recurrence.ok()) return std::move(recurrence).error().within("schedule.every");
  Result<TimeZone> zone = TimeZone::find(time_zone);
  if (!zone.ok()) return std::move(zone).error().within("schedule.time_zone");
  return Schedule(*recurrence, *zone);
}

LocalSeconds Schedule::latest_reached(sys_seconds now) const {
  // No clock was ever put back by more than a day, so nothing later than that was reached before.
  LocalSeconds time = recurrence_.latest(zone_.local(now) + std::chrono::days(1));
  while (zone_.first_moment(time) > now) time -= recurrence_.period();
  return time;
}

std::optional<sys_seconds> Schedule::latest_slot(sys_seconds now) const {
  if (recurrence_.never()) return std::nullopt;
  return zone_.first_moment(latest_reached(now));
}

std::optional<sys_seconds> Schedule::next_slot(sys_seconds now) const {
  if (recurrence_.never()) return std::nullopt;
  LocalSeconds time = latest_reached(now);
  while (zone_.first_moment(time) <= now) time += recurrence_.period();
  return zone_.first_moment(time);
}

}  // namespace qdedup::schedule
