#include "schedule/due.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace qdedup::schedule {

Due due(const Schedule& schedule, std::chrono::sys_seconds now,
        const std::vector<std::chrono::sys_seconds>& recorded) {
  const std::optional<std::chrono::sys_seconds> slot = schedule.latest_slot(now);
  const auto later = std::upper_bound(recorded.begin(), recorded.end(), now);
  const bool fresh = later == recorded.begin();
  if (!slot || (!fresh && *std::prev(later) >= *slot)) return {};
  return {fresh ? Due::Action::note : Due::Action::run, *slot};
}

}  // namespace qdedup::schedule
