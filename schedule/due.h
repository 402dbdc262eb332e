#pragma once

#include <chrono>
#include <vector>

#include "schedule/schedule.h"

namespace qdedup::schedule {

// What the schedule asks for at a moment.
struct Due {
  enum class Action {
    nothing,  // the newest slot was dealt with, or the schedule is off
    note,     // record `slot` without an iteration: the schedule counts from here on
    run,      // run an iteration for `slot`, then record it
  };
  Action action = Action::nothing;
  std::chrono::sys_seconds slot{};
};

// What is due at `now`, given the slots that were recorded, oldest first. It depends on the newest of them
// that is not after `now`:
//
//   newest recorded slot until now      newest slot of the schedule
//   none                                is noted: a fresh start, or the clock stands before all that was
//   recorded before it                           is run; missed slots between the two are not the same, or
//   after it               is dealt with
//
// So each slot runs at most once, however the clock is set or the machine sleeps; of missed slots the newest
// runs. Slots recorded under a clock that was far ahead lie after `now` once it is set right, and do not
// count until then.
Due due(const Schedule& schedule, std::chrono::sys_seconds now,
        const std::vector<std::chrono::sys_seconds>& recorded);

}  // namespace qdedup::schedule
