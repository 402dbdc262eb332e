#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "logs/files.h"
#include "logs/log_file.h"

namespace qdedup::iteration {

// How many of a known log's first lines and marks are kept in memory.
inline constexpr std::size_t kept_lines = 256;
inline constexpr std::size_t kept_marks = 2;

// These read marks from the store: all of one log, or the first ones (kept_marks) of each of several.
struct LogMarks {
  std::function<Result<std::vector<db::LogMarkRecord>>(std::int64_t log_id)> all;
  std::function<Result<std::map<std::int64_t, std::vector<db::LogMarkRecord>>>(
      const std::vector<std::int64_t>& log_ids)>
      first;
};

[[nodiscard]] logs::LogMark mark_of(const db::LogRecord& record);
[[nodiscard]] logs::FileIdentity identity_of(const db::LogRecord& record);

// Whether the file may be the one that the record's log was in: by inode and birth.
[[nodiscard]] bool may_be_of(const db::LogRecord& record, const logs::FileSignature& file);

// As LogFile::resume(); false for a packed file that is damaged before that point.
[[nodiscard]] Result<bool> resume_if_sound(logs::LogFile& log, const logs::LogMark& mark);

// How much of a file is the beginning of a mined log.
struct SharedBeginning {
  logs::LogFile file;    // positioned after the last line known to be shared
  bool several = false;  // more than one line is shared
  bool more = false;     // complete lines follow
  bool exact = false;    // the first of those is known not to be the log's
};

// The same as far as the log's first marks show.
struct SharedLines {
  std::uint64_t bytes = 0;
  bool exact = false;    // the next line of the file, if any, is known not to be the log's
  bool differs = false;  // the file is neither the log nor the beginning of it
};

// The first bytes of a file, read once to be compared with many logs.
class FileBeginning {
 public:
  static Result<FileBeginning> read(std::shared_ptr<const logs::RegularFile> file);

  [[nodiscard]] const logs::LogHead& head() const { return head_; }

  // Whether the file shares lines with the log, and whether it is the log, or the beginning of it. False is
  // certain, except for lines whose hash is not kept.
  [[nodiscard]] bool may_share_lines(const db::LogRecord& record) const;
  [[nodiscard]] bool may_be(const db::LogRecord& record) const;

  // Whether more than these bytes is to be had by unpacking alone.
  [[nodiscard]] bool is_packed_further() const {
    return head_.compression != logs::Compression::none && !head_.whole;
  }
  // Unpacks such a file once, up to the last of these offsets, so that marks there can be compared.
  void unpack_to(std::set<std::uint64_t> offsets);

  // Uses only the log's first marks and small reads; empty if these do not suffice. If the log's own file is
  // there, a file whose first lines differ is taken for another log, whatever follows them.
  [[nodiscard]] std::optional<SharedLines> shared_with(const db::LogRecord& record,
                                                       const std::vector<db::LogMarkRecord>& first,
                                                       bool is_there) const;

  // Whether the file contains, after `offset` and in the same place as the log, the last bytes that were
  // mined of it, or many of its first lines.
  [[nodiscard]] bool repeats_end(const db::LogRecord& record, std::uint64_t offset) const;
  [[nodiscard]] bool repeats_lines(const std::vector<db::LogMarkRecord>& first, std::uint64_t offset) const;

 private:
  FileBeginning(std::shared_ptr<const logs::RegularFile> file, logs::LogHead head);

  [[nodiscard]] std::optional<std::uint64_t> tail_hash(std::uint64_t offset) const;
  [[nodiscard]] bool ends_before(std::uint64_t offset) const;
  [[nodiscard]] bool ends_otherwise(const db::LogRecord& record) const;
  [[nodiscard]] std::optional<bool> fits(const logs::LogMark& mark) const;

  std::shared_ptr<const logs::RegularFile> file_;
  logs::LogHead head_;
  std::vector<std::uint64_t> ends_;                     // of the complete lines, preceded by 0
  std::string hashes_;                                  // of the same lines
  std::map<std::uint64_t, std::uint64_t> tail_hashes_;  // at some offsets after the first bytes
  std::uint64_t shorter_than_ = std::numeric_limits<std::uint64_t>::max();
};

// How known logs begin. The first marks of each are read from the store when first needed, then kept.
class KnownBeginnings {
 public:
  explicit KnownBeginnings(LogMarks marks) : marks_(std::move(marks)) {}

  // Makes sure that the first marks of these logs are in memory, in one turn of the writer at most.
  Status keep(const std::vector<const db::LogRecord*>& records);
  // Call this after more of the log was mined.
  void forget(std::int64_t log_id) { first_marks_.erase(log_id); }
  // The log must be kept.
  [[nodiscard]] const std::vector<db::LogMarkRecord>& first_marks(std::int64_t log_id) const {
    return first_marks_.at(log_id);
  }

  // Keeps the first marks of these logs, and reads what is needed of the file to compare it with them.
  Status prepare(FileBeginning& begins, const std::vector<const db::LogRecord*>& records);

  // From all marks of the log, and the file.
  [[nodiscard]] Result<SharedBeginning> read_shared(const std::shared_ptr<const logs::RegularFile>& file,
                                                    const db::LogRecord& record,
                                                    std::size_t max_line_bytes) const;

 private:
  LogMarks marks_;
  std::unordered_map<std::int64_t, std::vector<db::LogMarkRecord>> first_marks_;
};

}  // namespace qdedup::iteration
