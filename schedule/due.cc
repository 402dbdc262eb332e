#include "schedule/due.h"

namespace qdedup::schedule {

Due due(const Schedule& schedule, std::chrono::sys_seconds now,
        std::optional<std::chrono::sys_seconds> recorded) {
  const std::optional<std::chrono::sys_seconds> slot = schedule.latest_slot(now);
  if (!slot || (recorded && *recorded >= *slot)) return {};
  return {recorded ? Due::Action::run : Due::Action::note, *slot};
}

}  // namespace qdedup::schedule
