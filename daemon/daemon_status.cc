#include "daemon/daemon_status.h"

#include <nlohmann/json.hpp>

#include "base/version.h"

namespace qdedup::daemon {
namespace {

using nlohmann::ordered_json;
using std::chrono::duration_cast;
using std::chrono::seconds;
using std::chrono::system_clock;

// When `time` was, by the clock on the wall.
system_clock::time_point wall_time(const DaemonStatus& status, std::chrono::steady_clock::time_point time) {
  return status.now - duration_cast<system_clock::duration>(status.steady_now - time);
}

std::uint64_t lag_bytes(const TailReport& tail) {
  std::uint64_t bytes = 0;
  for (const auto& [path, lag] : tail.lags) bytes += lag.bytes;
  return bytes;
}

ordered_json lags_json(const DaemonStatus& status) {
  ordered_json json = ordered_json::array();
  for (const auto& [path, lag] : status.tail.lags) {
    json.push_back({{"path", path},
                    {"bytes", lag.bytes},
                    {"seconds", duration_cast<seconds>(status.steady_now - lag.since).count()}});
  }
  return json;
}

ordered_json problems_json(const TailReport& tail) {
  ordered_json json = ordered_json::array();
  for (const auto& [path, reason] : tail.problems) json.push_back({{"path", path}, {"reason", reason}});
  return json;
}

ordered_json worker_json(const DaemonStatus& status) {
  if (!status.worker) return nullptr;
  return {{"job", status.worker->job},
          {"since", timestamp(wall_time(status, status.worker->since))},
          {"waiting", status.jobs_waiting}};
}

ordered_json check_index_json(const DaemonStatus& status) {
  const CheckIndex::Report& index = status.check_index;
  ordered_json json = {{"building", index.building.has_value()},
                       {"built_at", nullptr},
                       {"questions", index.questions},
                       {"bytes", index.bytes},
                       {"failure", index.failure}};
  if (index.built_at) json["built_at"] = timestamp(wall_time(status, *index.built_at));
  return json;
}

}  // namespace

std::string trouble_of(const DaemonStatus& status) {
  std::string trouble;
  if (status.hang) trouble += *status.hang + '\n';
  if (status.tail.failure) trouble += status.tail.failure->message + '\n';
  if (!status.last_iteration_failure.empty()) {
    trouble += "the last iteration failed: " + status.last_iteration_failure + '\n';
  }
  return trouble;
}

std::string words_of(const DaemonStatus& status) {
  std::string words = "following logs, " + std::to_string(status.tail.counters.totals.lines) + " lines mined";
  if (status.tail.failure) {
    words = "cannot store what is mined: " + status.tail.failure->message + "; trying again";
  } else if (const std::uint64_t bytes = lag_bytes(status.tail); bytes > 0) {
    words += ", " + std::to_string(bytes) + " bytes to go";
  }
  if (!status.tail.problems.empty()) {
    words += ", " + std::to_string(status.tail.problems.size()) + " logs cannot be read";
  }
  if (status.worker) {
    words += "; " + status.worker->job + " since " + timestamp(wall_time(status, status.worker->since));
  }
  if (!status.last_iteration_failure.empty()) {
    words += "; the last iteration failed: " + status.last_iteration_failure;
  }
  words += status.next_slot ? "; next iteration " + timestamp(*status.next_slot) : "; no schedule";
  return words;
}

std::string json_of(const DaemonStatus& status) {
  ordered_json json = {{"version", program_version()},
                       {"started_at", timestamp(status.started_at)},
                       {"healthy", trouble_of(status).empty()},
                       {"trouble", trouble_of(status)},
                       {"lagging_logs", lags_json(status)},
                       {"log_problems", problems_json(status.tail)},
                       {"incomplete_logs", status.tail.waiting},
                       {"working_on", worker_json(status)},
                       {"next_slot", nullptr},
                       {"check_index", nullptr}};
  if (status.next_slot) json["next_slot"] = timestamp(*status.next_slot);
  if (status.check_index.wanted) json["check_index"] = check_index_json(status);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace qdedup::daemon
