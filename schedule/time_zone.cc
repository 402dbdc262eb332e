#include "schedule/time_zone.h"

#include <exception>

#include <date/tz.h>

namespace qdedup::schedule {

Result<TimeZone> TimeZone::find(const std::string& name) {
  try {
    const date::time_zone* zone = date::locate_zone(name);
    // The library reads a zone when it is first asked about it; from here on it has nothing to throw.
    static_cast<void>(zone->get_info(std::chrono::sys_seconds()));
    return TimeZone(zone);
  } catch (const std::exception&) {
    return Error{ErrorCode::config,
                 "no time zone \"" + name + "\" in the system's database (package tzdata)"};
  }
}

LocalSeconds TimeZone::local(std::chrono::sys_seconds time) const {
  return LocalSeconds(time.time_since_epoch() + zone_->get_info(time).offset);
}

std::chrono::sys_seconds TimeZone::first_moment(LocalSeconds local) const {
  const date::local_info info = zone_->get_info(date::local_seconds(local.time_since_epoch()));
  if (info.result == date::local_info::nonexistent) return info.first.end;
  return std::chrono::sys_seconds(local.time_since_epoch() - info.first.offset);
}

}  // namespace qdedup::schedule
