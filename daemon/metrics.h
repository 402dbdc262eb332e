#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "daemon/daemon_status.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "db/state_folder.h"
#include "iteration/log_groups.h"

namespace qdedup::daemon {

// What GET /metrics shows of the stored state.
struct StoredMetrics {
  std::set<std::string> possible_losses;  // paths of those that may have lost lines
  std::set<std::string> possible_twices;  // and of those with lines that may have been counted twice
  std::map<std::string, iteration::LogGroup> log_groups;  // by pattern
  db::UnconsumedEvidence waiting;
  std::uint64_t store_bytes = 0;
  std::uint64_t store_wal_bytes = 0;
  std::uint64_t bank_bytes = 0;
  std::uint64_t questions = 0;
  bool incomplete_import = false;
  std::vector<std::int64_t> withheld_iterations;
  std::optional<db::IterationRecord> last_iteration;
  std::map<std::string, std::uint64_t> deletions;  // by status
};

// Reads the state through its own connections. That may take a second, so do not call it on the loop's
// thread. `globs` are those of the logs that are followed.
Result<StoredMetrics> collect_metrics(const db::StateFolder& folder, const std::vector<std::string>& globs);

// The text of GET /metrics, in Prometheus format 0.0.4; without `stored`, only what is known without the
// state. Contains no ids and no question text.
std::string metrics_text(const DaemonStatus& status, const std::optional<StoredMetrics>& stored);

}  // namespace qdedup::daemon
