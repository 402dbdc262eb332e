#include "daemon/daemon_status.h"

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/json.h"
#include "base/version.h"

namespace qdedup::daemon {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;
using std::chrono::system_clock;

// `time` by the wall clock.
system_clock::time_point wall_time(const DaemonStatus& status, std::chrono::steady_clock::time_point time) {
  return status.now - duration_cast<system_clock::duration>(status.steady_now - time);
}

std::uint64_t lag_bytes(const TailReport& tail) {
  std::uint64_t bytes = 0;
  for (const auto& [path, lag] : tail.lags) bytes += lag.bytes;
  return bytes;
}

Json lags_json(const DaemonStatus& status) {
  Json json = Json::array();
  for (const auto& [path, lag] : status.tail.lags) {
    json.push_back({{"path", path_text(path)},
                    {"bytes", lag.bytes},
                    {"seconds", duration_cast<seconds>(status.steady_now - lag.since).count()}});
  }
  return json;
}

Json problems_json(const TailReport& tail) {
  Json json = Json::array();
  for (const auto& [path, reason] : tail.problems)
    json.push_back({{"path", path_text(path)}, {"reason", reason.message}});
  return json;
}

Json worker_json(const DaemonStatus& status) {
  if (!status.worker) return nullptr;
  return {{"job", status.worker->job},
          {"since", timestamp(wall_time(status, status.worker->since))},
          {"waiting", status.jobs_waiting}};
}

Json lease_json(const DaemonStatus& status) {
  if (!status.lease) return nullptr;
  return {{"command", status.lease->command},
          {"holder", status.lease->holder},
          {"since", timestamp(wall_time(status, status.lease->since))},
          {"idle_seconds", duration_cast<seconds>(status.steady_now - status.lease->moved).count()}};
}

Json check_index_json(const DaemonStatus& status) {
  const CheckIndex::Report& index = status.check_index;
  if (!index.wanted) return nullptr;
  return {{"building", index.building.has_value()},
          {"built_at", index.built_at ? Json(timestamp(wall_time(status, *index.built_at))) : Json()},
          {"questions", index.questions},
          {"bytes", index.bytes},
          {"failure", index.failure}};
}

Json waiting_slot_json(const DaemonStatus& status) {
  if (!status.waiting_slot) return nullptr;
  return {{"slot", timestamp(status.waiting_slot->slot)}, {"bytes", status.waiting_slot->bytes}};
}

// When a process is ended, its lock is released a moment after its connection closes.
constexpr seconds max_parting{5};

}  // namespace

std::optional<std::string> find_hang(const DaemonStatus& status,
                                     std::chrono::steady_clock::duration patience) {
  // For work that reports nothing for long: a large commit to a slow disk, reading for a request, comparing
  // long texts, or sorting the index of a large bank.
  const auto long_patience = 10 * patience;
  const auto stands_still = [&](const Heartbeat::Beat& last) {
    return status.steady_now - last.time > (last.activity == db::Activity::commit ? long_patience : patience);
  };
  if (status.worker && stands_still(status.worker->last_beat)) {
    return "the " + status.worker->job + " does not get on";
  }
  if (status.tail_beat && stands_still(*status.tail_beat)) return "following the logs does not get on";
  if (status.reader && status.steady_now - status.reader->since > long_patience) {
    return "reading for a request (" + status.reader->job + ") does not get on";
  }
  if (status.checker && status.steady_now - status.checker->last_beat.time > long_patience)
    return "checking questions does not get on";
  const std::optional<Heartbeat::Time>& building = status.check_index.building;
  if (building && status.steady_now - *building > long_patience) {
    return "building the index of the bank does not get on";
  }
  if (status.store_asked && status.steady_now - *status.store_asked > patience) {
    return "the store does not answer";
  }
  return std::nullopt;
}

std::optional<std::string> lease_trouble(const DaemonStatus& status) {
  if (!status.lease) return std::nullopt;
  const std::string whose = status.lease->command + " of " + status.lease->holder;
  if (status.lease->lacks_lock && status.steady_now - *status.lease->lacks_lock > max_parting) {
    const std::string over = "the lease of " + whose + " is over, but ";
    return over + (status.lease->lock_failure
                       ? "the state's lock cannot be taken back: " + status.lease->lock_failure->message
                       : "some process still holds the state's lock: see to that one");
  }
  if (status.steady_now - status.lease->moved <= status.idle_lease) return std::nullopt;
  return whose + " has had the lease of the writer since " +
         timestamp(wall_time(status, status.lease->since)) +
         ", and stored nothing for a long time; `qdedup lease end` ends it";
}

std::string health_trouble(const DaemonStatus& status) {
  std::string trouble;
  const auto add = [&trouble](const std::string& reason) { trouble += escaped(reason) + '\n'; };
  if (status.hang) add(*status.hang);
  if (const auto lease = lease_trouble(status)) add(*lease);
  if (!status.store_trouble.empty()) {
    add("nothing is written any more: " + status.store_trouble);
  } else if (status.tail.failure) {
    add(status.tail.failure->message);
  }
  if (status.tail.trouble) add(status.tail.trouble->message);
  if (!status.iterations.last_failure.empty())
    add("the last iteration failed: " + status.iterations.last_failure);
  return trouble;
}

std::string status_line(const DaemonStatus& status) {
  const TailReport& tail = status.tail;
  std::string line = "files followed: " + std::to_string(tail.progress.size()) +
                     ", lines mined: " + std::to_string(tail.counters.totals.lines);
  const bool has_looked = tail.looked_at > std::chrono::steady_clock::time_point();
  if (has_looked && tail.progress.empty() && tail.problems.empty() && !tail.trouble)
    line += ", no file matches [logs] paths";
  if (!status.store_trouble.empty()) {
    line = "nothing is written any more: " + status.store_trouble;
  } else if (tail.failure) {
    line = "cannot store what is mined: " + tail.failure->message + "; trying again";
  } else if (const std::uint64_t bytes = lag_bytes(tail); bytes > 0) {
    line += ", " + std::to_string(bytes) + " bytes to go";
  }
  if (tail.trouble) line += ", " + tail.trouble->message;
  if (!tail.problems.empty()) line += ", " + std::to_string(tail.problems.size()) + " logs cannot be read";
  if (status.worker) {
    line += "; " + status.worker->job + " since " + timestamp(wall_time(status, status.worker->since));
  }
  if (!status.iterations.last_failure.empty()) {
    line += "; the last iteration failed: " + status.iterations.last_failure;
  }
  if (status.waiting_slot) {
    line += "; the iteration of " + timestamp(status.waiting_slot->slot) + " waits for " +
            std::to_string(status.waiting_slot->bytes) + " bytes of logs";
  }
  line += status.next_slot ? "; next iteration " + timestamp(*status.next_slot) : "; no schedule";
  return line;
}

std::string status_json(const DaemonStatus& status) {
  const std::string trouble = health_trouble(status);
  return json_text({{"version", program_version()},
                    {"started_at", timestamp(status.started_at)},
                    {"healthy", trouble.empty()},
                    {"trouble", trouble},
                    {"log_paths", status.log_paths},
                    {"lagging_logs", lags_json(status)},
                    {"config_problem", status.config_problem.empty() ? Json() : Json(status.config_problem)},
                    {"log_problems", problems_json(status.tail)},
                    {"incomplete_logs", path_texts(status.tail.waiting)},
                    {"working_on", worker_json(status)},
                    {"lease", lease_json(status)},
                    {"next_slot", status.next_slot ? Json(timestamp(*status.next_slot)) : Json()},
                    {"waiting_slot", waiting_slot_json(status)},
                    {"check_index", check_index_json(status)}});
}

}  // namespace qdedup::daemon
