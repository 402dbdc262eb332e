#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/evidence.h"

namespace qdedup::iteration {

// What the generations of a log have in common: the first of `globs` (glob(7)) that matches `path`; where
// none does, the path without the numbers, dates and endings that rotation gives: "/var/log/search.log" for
// "/var/log/search.log.2.gz" and "/var/log/search-20261124.log".
std::string log_pattern(const std::string& path, const std::vector<std::string>& globs);

// Logs with the same pattern; forgotten ones are left out.
struct LogGroup {
  std::string name;  // the pattern; of a single log that no glob matches its path
  std::uint64_t logs = 0;
  LineTotals totals;
  std::uint64_t bytes = 0;    // mined, unpacked
  std::string last_mined_at;  // of the newest
};

// By pattern.
std::map<std::string, LogGroup> group_logs(const std::vector<db::LogRecord>& logs,
                                           const std::vector<std::string>& globs);

}  // namespace qdedup::iteration
