#include "daemon/watchdog.h"

namespace qdedup::daemon {

std::optional<std::string> hang(const SignsOfLife& signs, std::chrono::steady_clock::duration patience) {
  // What tells nothing before it is done: a large commit to a slow disk, sorting the index of a large bank.
  const auto long_patience = 10 * patience;
  const auto stands_still = [&](const Heartbeat::Beat& last) {
    return signs.now - last.time > (last.activity == db::Activity::commit ? long_patience : patience);
  };
  if (signs.worker && stands_still(signs.worker->last_beat)) {
    return "the " + signs.worker->job + " does not get on";
  }
  if (signs.turn && stands_still(*signs.turn)) return "following the logs does not get on";
  if (signs.index_moved && signs.now - *signs.index_moved > long_patience) {
    return "building the index of the bank does not get on";
  }
  if (signs.store_asked && signs.now - *signs.store_asked > patience) return "the store does not answer";
  return std::nullopt;
}

}  // namespace qdedup::daemon
