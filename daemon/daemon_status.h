#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "daemon/check_index.h"
#include "daemon/leases.h"
#include "daemon/scheduled_jobs.h"
#include "daemon/slot_keeper.h"
#include "daemon/tail.h"
#include "daemon/worker.h"

namespace qdedup::daemon {

// The state of the daemon at one moment.
struct DaemonStatus {
  std::chrono::system_clock::time_point started_at;
  std::chrono::system_clock::time_point now;
  std::chrono::steady_clock::time_point steady_now;
  TailReport tail;
  std::optional<Worker::RunningJob> worker;  // none: idle
  std::size_t jobs_waiting = 0;              // besides the running one
  std::optional<Leases::Report> lease;
  std::chrono::seconds idle_lease{};                  // how long until an idle lease counts as trouble
  std::optional<std::chrono::sys_seconds> next_slot;  // none: the schedule is off
  std::optional<SlotKeeper::Waiting> waiting_slot;    // for logs that must be mined first
  ScheduledJobs::Report iterations;                   // of the schedule
  CheckIndex::Report check_index;
  std::vector<std::string> log_paths;  // as the config has them
  std::string config_problem;          // why the config of the last reload is not used; empty: it is
  std::uint64_t dropped_messages = 0;  // of the journal, since the start
  std::string store_trouble;           // empty: the state can be used

  // For find_hang(), besides the worker and the index.
  std::optional<Worker::RunningJob> reader;    // none: nothing is being read
  std::optional<Worker::RunningJob> checker;   // none: nothing is being checked
  std::optional<Heartbeat::Beat> tail_beat;    // none: the tail is waiting
  std::optional<Heartbeat::Time> store_asked;  // since when the probe has been waiting for the store
  std::optional<std::string> hang;             // its result
};

// What hangs: work that made no progress for `patience`, or for ten times that during a commit, a reading for
// a request, a check, or while the index is built. None if all is well. That the loop runs is shown by the
// call itself.
std::optional<std::string> find_hang(const DaemonStatus& status,
                                     std::chrono::steady_clock::duration patience);

// What is wrong with the present lease of the writer, if anything.
std::optional<std::string> lease_trouble(const DaemonStatus& status);

// Why the daemon is not healthy, one reason per line; empty if it is.
std::string health_trouble(const DaemonStatus& status);

// In one line, for systemd: "files followed: 3, …; iteration since …; next …".
std::string status_line(const DaemonStatus& status);

// For GET /api/status, and `qdedup status`.
std::string status_json(const DaemonStatus& status);

}  // namespace qdedup::daemon
