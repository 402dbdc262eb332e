#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/evidence.h"
#include "db/store_writer.h"
#include "iteration/log_matching.h"
#include "miner/line_parser.h"
#include "miner/log_block.h"
#include "miner/seed_lists.h"

namespace qdedup::iteration {

// What mining needs besides a log. All of it must outlive the LogMining.
struct MiningContext {
  const miner::LineParser& parser;
  const config::Settings& settings;
  db::StoreWriter& writer;
  const Clock& clock;
};

// Mines one log into the store, stretch by stretch: the lines of a stretch and the log's new offset are
// committed together. A stretch may end within a line.
class LogMining {
 public:
  // Continues where the file of `match` is positioned.
  LogMining(LogMatcher::Match match, const MiningContext& context);

  struct Stretch {
    miner::LineCounts counts;
    std::uint64_t bytes = 0;       // read from the file itself
    bool at_end = false;           // of what is there at present
    bool cut = false;              // in place: nothing of this stretch was committed, and no more can be
    bool first_gap = false;        // NUL bytes among lines, the first loss of the log: possible_loss was set
    std::optional<Error> problem;  // with the log; everything before it was mined
  };

  // How much to commit at once: approximately up to whichever bound is reached first.
  struct Bounds {
    std::size_t bytes;  // of the unpacked log
    std::uint64_t lines;
  };

  // Reads on up to the bounds, and commits. `block_done` is called now and then. An error is the store's;
  // only the store knows then how far the log was mined, and this object must not be used any more.
  Result<Stretch> mine(const Bounds& bounds, const std::function<void()>& block_done);

  // Records that the log is now in this file, though more of it was mined (LogMatcher::Use::shorter).
  Status take_over();

  [[nodiscard]] const logs::LogFile& file() const { return match_.file; }
  [[nodiscard]] const db::LogRecord& record() const { return match_.record; }

  // The log's new name, to be stored with the next stretch.
  void rename(const std::string& path);

  void go_back() { match_.file.go_back(); }

 private:
  struct Gathered;

  Result<bool> read_blocks(std::uint64_t end, std::vector<logs::LineBlock>& blocks);
  void mine_blocks(std::span<logs::LineBlock> blocks, Gathered& gathered,
                   const std::function<void()>& meanwhile);
  Result<bool> gather(const Bounds& bounds, Gathered& gathered, const std::function<void()>& block_done);
  void note_file(const logs::FileSignature& file);
  Status commit(Gathered& gathered, Stretch& stretch);

  LogMatcher::Match match_;
  MiningContext context_;
  unsigned threads_;
  bool record_changed_;
  std::uint64_t bytes_counted_;
};

}  // namespace qdedup::iteration
