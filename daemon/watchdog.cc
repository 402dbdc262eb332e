#include "daemon/watchdog.h"

#include <algorithm>

namespace qdedup::daemon {

std::optional<std::string> hang(const SignsOfLife& signs, std::chrono::steady_clock::duration patience) {
  constexpr int times_longer = 10;  // the index of a large bank is sorted in one go
  const auto too_long_since = [&](SignsOfLife::Time time) { return signs.now - time > patience; };
  if (signs.worker && too_long_since(signs.worker->last_moved)) {
    return "the " + signs.worker->job + " does not get on";
  }
  if (signs.turn_moved && too_long_since(*signs.turn_moved)) {
    return "following the logs does not get on";
  }
  if (signs.index_moved && signs.now - *signs.index_moved > times_longer * patience) {
    return "building the index of the bank does not get on";
  }
  if (signs.store_asked && too_long_since(*signs.store_asked)) return "the store does not answer";
  return std::nullopt;
}

}  // namespace qdedup::daemon
