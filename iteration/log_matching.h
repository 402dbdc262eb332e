#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "logs/files.h"
#include "logs/log_file.h"

namespace qdedup::iteration {

struct SharedBeginning;

// Finds out by its content which of the logs that were mined before a file is; a log counts as mined once one
// line of it is. doc/design.md ("Logs are known by content") has the cases in the order in which they are
// tried.
class LogMatcher {
 public:
  using Identity = logs::FileIdentity;
  using File = std::shared_ptr<const logs::RegularFile>;

  enum class Use {
    mine,     // read on from where the file stands
    done,     // nothing is left to mine, and the file has not changed since
    copy,     // repeats a log
    shorter,  // holds the beginning of what was mined: the record goes on with this file
    wait,     // not complete yet
    empty,    // holds too little to tell what it will be: to be matched again when it changed
  };

  struct Match {
    logs::LogFile file;    // after what was mined of it
    db::LogRecord record;  // to go on with, id 0 for a new log; of a copy the original's
    Use use = Use::mine;
    bool moved = false;  // the log had another name or file when it was mined last
    bool cut = false;    // new or shorter, and in the very file of a log that was mined
    bool brief = false;  // shorter, and holds one line only, which may be anybody's

    // None of the known logs, or not all of one.
    [[nodiscard]] bool is_new() const {
      const bool is_another = record.id == 0 || record.offset == 0;
      return use == Use::shorter || ((use == Use::mine || use == Use::empty) && is_another);
    }
  };

  // `files` is to outlive the matcher; `known` are the records of the store, `marks` reads their marks.
  using Marks = std::function<Result<std::vector<db::LogMarkRecord>>(std::int64_t log_id)>;
  LogMatcher(const logs::Files& files, std::vector<db::LogRecord> known, std::size_t max_line_bytes,
             Marks marks);

  // Notes where the files are that will be matched.
  void look_at(const std::vector<std::string>& paths);

  // Is the file, by its inode, that of a known log? Those are matched first, so that what they still hold is
  // not mined from copies.
  [[nodiscard]] bool is_known(const logs::FileSignature& file) const;

  // Was a log mined at `path` whose file is nowhere to be seen? A packed one that was read to its end is not
  // missed.
  [[nodiscard]] bool hides_another(const std::string& path) const;

  // Finds the record of a file that stands at `path`. Errors begin with the path it was opened at.
  Result<Match> match(const File& file, const std::string& path);

  // Notes what a record has become.
  void update(const db::LogRecord& record);

  // Goes on with the records that the store has by now.
  void renew(std::vector<db::LogRecord> known, std::size_t max_line_bytes);

  // A file that stays open has its log for as long as it does, wherever its name has gone.
  void hold(const File& file);
  void release(const Identity& identity) { held_.erase(identity); }
  [[nodiscard]] std::size_t held_files() const { return held_.size(); }

 private:
  struct Place {
    std::string path;
    logs::FileSignature file;
  };

  // The file of a record, if it still holds what was mined of it.
  [[nodiscard]] Result<File> present(const db::LogRecord& record) const;
  [[nodiscard]] Result<bool> holds_what_was_mined(const File& file, const db::LogRecord& record) const;
  [[nodiscard]] Result<bool> holds_more(const File& file, const db::LogRecord& record) const;
  [[nodiscard]] bool is_met(const db::LogRecord& record) const;
  [[nodiscard]] bool was_cut(const File& file, const std::string& path) const;
  void note_earlier(const db::LogRecord& before, const db::LogRecord& now);
  [[nodiscard]] bool held_log(const logs::FileSignature& file, std::optional<std::int64_t> id = {}) const;

  // What was stored of the file itself: lines, or no more than that some of another log's may be lost.
  enum class OwnRecord { of_lines, of_a_loss };

  using Found = Result<std::optional<Match>>;
  Found match_identity(const File& file, const std::string& path, OwnRecord kind);
  Found match_content(const logs::LogHead& head, const File& file, const std::string& path);
  Found match_beginning(const logs::LogHead& head, const File& file, const std::string& path);
  Found match_part(const logs::LogHead& head, const File& file, const std::string& path);
  Found match_shared(const db::LogRecord& record, SharedBeginning shared, const std::string& path);
  Found match_uncertain(const logs::LogHead& head, const db::LogRecord& record, const File& file,
                        const std::string& path);
  Found match_perhaps_twice(const File& file, const std::string& path);
  Found match_unread(const File& file, const std::string& path);
  Found match_record(const db::LogRecord& record, const File& file, const std::string& path);
  Result<Match> match_new(const File& file, const std::string& path);

  const logs::Files* files_;
  std::vector<db::LogRecord> known_;
  std::size_t max_line_bytes_;
  Marks marks_;
  std::map<Identity, Place> places_;  // where files were seen
  std::map<Identity, File> held_;
  std::vector<db::LogRecord> earlier_;  // records as they were in files that are still there
};

}  // namespace qdedup::iteration
