#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "iteration/log_beginning.h"
#include "logs/files.h"
#include "logs/log_file.h"

namespace qdedup::iteration {

// Finds out by content which of the mined logs a file is; a log counts as mined once one line of it is. Logs
// that somebody forgot are known as well (LogRecord::is_forgotten); what replaces them loses nothing.
// doc/design.md ("Logs are known by content") lists the cases in the order in which they are tried.
class LogMatcher {
 public:
  using Identity = logs::FileIdentity;
  using File = std::shared_ptr<const logs::RegularFile>;

  enum class Use {
    mine,     // continue reading where the file is positioned
    done,     // nothing left to mine, and unchanged since
    copy,     // repeats a log
    shorter,  // contains only the beginning of what was mined: the record moves to this file
    wait,     // not complete yet
    compare,  // perhaps a copy: not compared to its end yet, so match it again
    empty,    // too little to tell what it will be: match it again when it changes
  };

  struct Match {
    logs::LogFile file;    // positioned after what was mined of it
    db::LogRecord record;  // the one to continue; id 0 for a new log; for a copy, the original's
    Use use = Use::mine;
    bool moved = false;  // the log had another name or file when last mined
    bool cut = false;    // new or shorter, and the very file that held a mined log
    bool brief = false;  // shorter, and only one line, which other logs may share

    // None of the known logs, or not a complete one.
    [[nodiscard]] bool is_new() const {
      const bool is_another = record.id == 0 || record.offset == 0;
      return use == Use::shorter || ((use == Use::mine || use == Use::empty) && is_another);
    }
  };

  // `files` must outlive the matcher. No log is known before renew().
  LogMatcher(const logs::Files& files, std::size_t max_line_bytes, LogMarks marks);

  // Notes which files are at the paths, before they are matched.
  void look_at(const std::vector<std::string>& paths);

  // Whether the file, by its inode, belongs to a known log. Match those first, so that what they still
  // contain is not mined from copies.
  [[nodiscard]] bool is_known(const logs::FileSignature& file) const;

  // A known record; null if there is none of that id.
  [[nodiscard]] const db::LogRecord* find(std::int64_t id) const;
  // Whether the file, by its inode, belongs to that one.
  [[nodiscard]] bool is_of(const logs::FileSignature& file, std::int64_t id) const;

  // Whether a log was mined at `path` whose file is now nowhere to be seen. A compressed one that was read to
  // its end does not count.
  [[nodiscard]] bool hides_another(const std::string& path) const;

  // Finds the record of a file at `path`. Errors begin with the path where it was opened.
  Result<Match> match(const File& file, const std::string& path);

  // How many more bytes of plain files may be compared; no limit at first.
  void may_compare(std::uint64_t bytes) { comparable_ = bytes; }
  [[nodiscard]] bool may_compare() const { return comparable_ > 0; }

  // Whether the file is a copy of the other's beginning. None if they are not compared to the end yet.
  Result<std::optional<bool>> is_copy(const File& file, const File& original);

  // Updates a record.
  void update(const db::LogRecord& record);

  // Continues with the records now in the store.
  void renew(std::vector<db::LogRecord> known, std::size_t max_line_bytes);

  // While a file stays open, it has its log, wherever its name has gone.
  void hold(const File& file);
  void release(const Identity& identity) { held_.erase(identity); }
  [[nodiscard]] const std::map<Identity, File>& held() const { return held_; }

 private:
  struct Place {
    std::string path;
    logs::FileSignature file;
  };

  // Whether a record's file still contains what was mined of it. If it may not be opened, its inode, its
  // birth and its size tell.
  struct Presence {
    bool is_there = false;
    std::uint64_t size = 0;  // only if it may not be opened
    File file;               // none if it may not be opened
  };

  [[nodiscard]] bool is_beside_what_is_read(const std::string& path) const;
  [[nodiscard]] Result<Presence> present(const db::LogRecord& record) const;
  [[nodiscard]] Result<bool> holds_what_was_mined(const File& file, const db::LogRecord& record) const;
  [[nodiscard]] Result<bool> holds_more(const Presence& original, const db::LogRecord& record) const;
  [[nodiscard]] bool is_met(const db::LogRecord& record) const;
  [[nodiscard]] bool is_followed(const db::LogRecord& record) const;  // its file is open, or looked at
  [[nodiscard]] bool was_cut(const File& file, const std::string& path) const;
  void note_earlier(const db::LogRecord& before, const db::LogRecord& now);
  [[nodiscard]] bool held_log(const logs::FileSignature& file, std::optional<std::int64_t> id = {}) const;

  // What was stored for the file itself: lines, or only that lines of another log may be lost.
  enum class OwnRecord { of_lines, of_a_loss };

  // The match of a file with the record of its log, wherever that was.
  static Match matched(logs::LogFile file, const db::LogRecord& record, const std::string& path,
                       Use use = Use::mine);

  using Found = Result<std::optional<Match>>;
  Found match_identity(const File& file, const std::string& path, OwnRecord kind);
  [[nodiscard]] bool is_longer_version(const File& file, const db::LogRecord& than) const;
  Found match_content(FileBeginning& begins, const File& file, const std::string& path);
  Found match_unfollowed(const db::LogRecord& record, logs::LogFile log, const std::string& path);
  Found match_more(FileBeginning& begins, Found match, const std::string& path);
  Found match_beginning(FileBeginning& begins, const File& file, const std::string& path);
  Found match_part(FileBeginning& begins, const File& file, const std::string& path);
  Found match_shared(const db::LogRecord& record, SharedBeginning shared, const std::string& path);
  Found match_uncertain(const logs::LogHead& head, const db::LogRecord& record, const File& file,
                        const std::string& path);
  Found match_perhaps_twice(const db::LogRecord& record, const File& file, const std::string& path);
  Found match_unread(const File& file, const std::string& path);
  // `holds_all` is set if the file begins with all that was mined of that log, whose own file is still there.
  Found match_other(const db::LogRecord& record, FileBeginning& begins, logs::LogFile log,
                    const std::string& path, bool same);
  Result<bool> may_become(FileBeginning& begins, const db::LogRecord& record);
  Found match_record(const db::LogRecord& record, FileBeginning& begins, const File& file,
                     const std::string& path, bool& holds_all);
  Result<Match> match_new(const File& file, const std::string& path);

  Result<bool> repeats_known(const FileBeginning& begins, const Match& match);

  const logs::Files* files_;
  std::vector<db::LogRecord> known_;
  std::size_t max_line_bytes_;
  KnownBeginnings beginnings_;
  std::map<Identity, Place> places_;  // where each file was seen
  std::map<Identity, File> held_;
  std::map<Identity, logs::Comparisons> compared_;  // by the copy
  std::uint64_t comparable_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<db::LogRecord> earlier_;  // earlier states of records, for files that still exist
};

}  // namespace qdedup::iteration
