#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "logs/file_signature.h"
#include "logs/files.h"
#include "logs/log_file.h"
#include "logs/log_head.h"

namespace qdedup::iteration {

// Finds out which of the logs that were mined before a file is, by what it holds. "Mined" means that at least
// one line was.
//
// - A file is the known log that has its identity, if what was mined of that log stands at its start.
//   A compressed one whose size and time did not change either since it was mined to its end holds nothing
//   new.
// - A file is a known log under another name or compression, or the copy of a log that was cut off, if what
//   was mined of that log stands at its start, and the known log's own file is gone or holds something else
//   by now.
// - A file that repeats the beginning of a known log whose file is still there is a copy: there is nothing to
//   mine in it that is not mined from the original.
// - A compressed file that ends, cut off, before it comes to where a known log was mined to may be that log
//   one day.
// - A file is the log that was seen with its identity before anything could be mined of it.
// - Any other file is new, as soon as something is in it: what was empty when it was matched may be any of
//   these a moment later.
class LogMatcher {
 public:
  using Identity = logs::FileIdentity;
  using File = std::shared_ptr<const logs::RegularFile>;

  enum class Use {
    mine,   // read on from where the file stands
    done,   // nothing to do: a compressed file that was mined to its end, and has not changed since
    copy,   // nothing to do
    wait,   // nothing to do until the file is complete
    empty,  // nothing to do: it holds too little to tell what it will be. To be matched again when it changed
  };

  struct Match {
    logs::LogFile file;    // behind what was mined of it
    db::LogRecord record;  // to go on with, id 0 for a new log; of a copy the original's
    Use use = Use::mine;
    bool moved = false;  // the log had another name or file when it was mined last
    bool cut = false;    // new, and in the very file of a log that was mined

    // None of the logs that are known, as far as can be told from what it holds.
    [[nodiscard]] bool is_new() const {
      return (use == Use::mine || use == Use::empty) && record.offset == 0;
    }
  };

  // `files` is to outlive the matcher; `known` are the records of the store.
  LogMatcher(const logs::Files& files, std::vector<db::LogRecord> known, std::size_t max_line_bytes);

  // Looks where all the files are that will be asked for.
  void look_at(const std::vector<std::string>& paths);

  // Is the file, by what is to be seen from outside, that of a known log? Those come first: what they still
  // hold is mined from them, not from copies.
  [[nodiscard]] bool is_known(const logs::FileSignature& file) const;

  // Does a known log stand in the records at `path`, of which no file is to be seen?
  [[nodiscard]] bool hides_another(const std::string& path) const;

  // Finds the record of a file that stands at `path`. Reads what it must to be sure; errors begin with the
  // path that the file was opened at.
  Result<Match> match(const File& file, const std::string& path);

  // How far the log of a record was mined.
  [[nodiscard]] std::uint64_t mined_up_to(std::int64_t record_id) const;

  // Notes what a record has become, for the matches to come.
  void update(const db::LogRecord& record);

  // A file that stays open has its log for as long as it does, wherever its name has gone.
  void hold(const File& file);
  void release(const Identity& identity);

 private:
  struct Place {
    std::string path;
    logs::FileSignature file;
  };

  // The file of a record, if it still holds what was mined of it.
  [[nodiscard]] File present(const db::LogRecord& record) const;
  [[nodiscard]] bool holds_what_was_mined(const File& file, const db::LogRecord& record) const;
  [[nodiscard]] bool is_met(const db::LogRecord& record) const;
  [[nodiscard]] bool was_cut(const File& file, const std::string& path) const;

  using Found = Result<std::optional<Match>>;
  Found match_identity(const File& file, const std::string& path);
  Found match_content(const logs::LogHead& head, const File& file, const std::string& path);
  Found match_unread(const File& file, const std::string& path);
  Found match_record(const db::LogRecord& record, const File& file, const std::string& path);
  Result<Match> match_new(const File& file, const std::string& path);

  const logs::Files* files_;
  std::vector<db::LogRecord> known_;
  std::size_t max_line_bytes_;
  std::map<Identity, Place> places_;  // where files were seen
  std::map<Identity, File> held_;
};

}  // namespace qdedup::iteration
