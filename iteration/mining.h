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

// What became of one log.
struct MinedLog {
  std::string path;
  miner::LineCounts counts;     // of the lines mined now
  db::LineTotals totals;        // the same as they are stored
  bool copy = false;            // it only repeats a log that is mined already
  bool possible_loss = false;   // it was cut or replaced, or holds less than was mined of it
  bool possible_twice = false;  // some of the lines mined now may have been mined before, from another log
  bool waits = false;           // a compressed file that is not complete, and of which nothing was mined
  bool cut_off = false;  // a compressed file that is not complete (yet); its complete members were mined
  std::optional<Error> problem;  // it could not be read, or not to its end; what came before was mined
};

struct MiningReport {
  std::vector<MinedLog> logs;  // in the order in which they were named
  db::LineTotals totals;
};

// Mines what the logs at `paths` hold beyond what was mined of them before, by one LogFollower. A log that
// cannot be read does not stop the others. Fails only when the store does; what was committed stays.
Result<MiningReport> mine_logs(db::StoreWriter& writer, const std::vector<std::string>& paths,
                               const logs::Files& files, const config::Settings& settings, const Clock& clock,
                               const Progress& progress);

}  // namespace qdedup::iteration
