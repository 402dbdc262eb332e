#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/store.h"

namespace qdedup::db {

// The slots of the schedule that are done with: an iteration ran for each, or it was not to.
class Slots {
 public:
  explicit Slots(Store& store) : store_(store) {}

  // Oldest first.
  Result<std::vector<std::chrono::sys_seconds>> recorded();

  // Notes that `slot` is done with; once or again.
  Status record(std::chrono::sys_seconds slot, const std::string& recorded_at);

 private:
  Store& store_;
};

}  // namespace qdedup::db
