#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/evidence.h"
#include "db/store_writer.h"
#include "logs/files.h"
#include "miner/log_block.h"

namespace qdedup::iteration {

// The result for one log.
struct MinedLog {
  std::string path;
  miner::LineCounts counts;       // of the lines mined this time
  bool copy = false;              // it only repeats a log that was already mined
  bool left_out = false;          // it is a log that somebody forgot
  bool possible_loss = false;     // see LogNews::Kind
  bool possible_twice = false;    // some of the lines mined now may have been mined before, from another log
  bool mined_in_vain = false;     // nothing was new in it, and all that had been mined was rejected
  bool no_complete_line = false;  // a plain file that is not empty, and has no line feed yet
  bool waits = false;             // an incomplete compressed file of which nothing was mined
  bool cut_off = false;  // a compressed file that is incomplete (so far); its complete members were mined
  std::optional<Error> problem;  // it could not be read, or not to its end; everything before that was mined
};

struct MiningReport {
  std::vector<MinedLog> logs;  // in the order in which they were named
  LineTotals totals;
};

// Mines what is new in the logs at `paths`, using one LogFollower. A log that cannot be read does not stop
// the others. Fails only if the store does; what was committed stays.
Result<MiningReport> mine_logs(db::StoreWriter& writer, const std::vector<std::string>& paths,
                               const logs::Files& files, const config::Settings& settings, const Clock& clock,
                               const Progress& progress);

}  // namespace qdedup::iteration
