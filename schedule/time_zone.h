#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace date {
class time_zone;
}

namespace qdedup::schedule {

// What the clock on the wall shows, as seconds since it showed 1970-01-01 00:00:00.
using LocalSeconds = std::chrono::local_seconds;

// A time zone of the IANA database that the system has (Debian package tzdata), read by Howard Hinnant's date
// library. The library knows changes of the clock up to 2037; later ones are not made. A value to copy; the
// database lives as long as the process.
class TimeZone {
 public:
  // By its name: "Asia/Shanghai", "UTC". ErrorCode::config where there is none.
  static Result<TimeZone> find(const std::string& name);

  // What the clock shows at `time`.
  [[nodiscard]] LocalSeconds local(std::chrono::sys_seconds time) const;

  // The first moment at which the clock shows `local` or, where it is put forward over `local`, a later time.
  [[nodiscard]] std::chrono::sys_seconds first_moment(LocalSeconds local) const;

 private:
  explicit TimeZone(const date::time_zone* zone) : zone_(zone) {}

  const date::time_zone* zone_;
};

}  // namespace qdedup::schedule
