#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "logs/log_file.h"

namespace qdedup::iteration {

// Finds out which of the logs that were mined before a file is, by what it holds. "Mined" means that at least
// one line was.
//
// - A file is the known log that has its device and inode, if what was mined of that log stands at its start.
// - A file is a known log under another name or compression, or the copy of a log that was cut off, if what
// was mined of that
//   log stands at its start, and the known log's own file is gone or holds something else by now.
// - A file that repeats the beginning of a known log whose file is still there is a copy: there is nothing to
// mine in it that is
//   not mined from the original.
// - A compressed file that ends, cut off, before it comes to where a known log was mined to may be that log
// one day.
// - A file is the log that was seen with its device and inode before anything could be mined of it.
// - Any other file is new.
class LogMatcher {
 public:
  enum class Use {
    mine,  // read on from where the file stands
    copy,  // nothing to do
    wait,  // nothing to do until the file is complete
  };

  struct Match {
    logs::LogFile file;    // behind what was mined of it
    db::LogRecord record;  // to go on with; id 0 for a new log
    Use use = Use::mine;
  };

  // `known` are the records of the store; `paths` all files that will be asked for.
  LogMatcher(std::vector<db::LogRecord> known, const std::vector<std::string>& paths);

  // Files that are known by device and inode come first: what they still hold is mined from them, not from
  // copies. Files that stand where a known log stood come last: by then that log was met, if it has another
  // name.
  [[nodiscard]] std::vector<std::string> in_order(const std::vector<std::string>& paths) const;

  // Opens the file and finds its record. Reads what it must to be sure; errors begin with the path.
  Result<Match> match(const std::string& path, std::size_t max_line_bytes);

  // Notes what a record has become, for the matches to come.
  void update(const db::LogRecord& record);

 private:
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device, inode

  // Where the file of a record stands now, if it still holds what was mined of it.
  [[nodiscard]] std::optional<std::string> present_path(const db::LogRecord& record,
                                                        std::size_t max_line_bytes) const;
  [[nodiscard]] bool is_known(const Identity& identity) const;
  [[nodiscard]] bool stands_in_place_of_another(const std::string& path, const logs::LogFile& file) const;

  Result<std::optional<Match>> match_identity(const std::string& path, std::size_t max_line_bytes);
  Result<std::optional<Match>> match_content(const std::string& path, std::size_t max_line_bytes);
  Result<std::optional<Match>> match_unread(const std::string& path, std::size_t max_line_bytes);
  Result<std::optional<Match>> match_record(const db::LogRecord& record, const std::string& path,
                                            std::size_t max_line_bytes);

  std::vector<db::LogRecord> known_;
  std::vector<std::pair<Identity, std::string>> files_;  // of all paths that can be looked at
};

}  // namespace qdedup::iteration
