#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "iteration/log_matching.h"
#include "logs/log_mark.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {

inline constexpr std::size_t max_line_bytes = 1000;

inline std::string lines(int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

inline std::vector<db::LogMarkRecord> first_marks(std::vector<db::LogMarkRecord> marks) {
  marks.resize(std::min(marks.size(), kept_marks));
  for (db::LogMarkRecord& mark : marks) {
    mark.line_hashes = mark.line_hashes.substr(0, kept_lines * logs::line_hash_bytes);
  }
  return marks;
}

// Files, the records and marks of those that were mined, and what a matcher makes of others.
class MatchedLogs {
 protected:
  // Reads the log to its end, as a new one, and answers its record.
  db::LogRecord mined(const std::string& path, std::int64_t id) {
    auto file = must(logs::LogFile::open(must(files_.open(path)), max_line_bytes));
    db::LogRecord record;
    record.id = id;
    record.path = path;
    const logs::FileSignature& opened = file.signature_when_opened();
    record.device = opened.identity.device;
    record.inode = opened.identity.inode;
    record.born_ns = opened.born_ns;
    marks_[id].clear();
    while (auto block = must(file.next_block(100))) {
      marks_[id].push_back(
          {block->begin.offset, block->end.offset, block->begin.tail_hash, logs::line_hashes(block->lines)});
      if (record.offset == 0) record.first_line = logs::first_line_hash(marks_[id].front().line_hashes);
      record.offset = block->end.offset;
      record.head_hash = block->end.head_hash;
      record.tail_hash = block->end.tail_hash;
      record.totals.lines += logs::line_hashes(block->lines).size();
    }
    return record;
  }

  // "new", "copy", or the id of the record that the file goes on with.
  std::string match(LogMatcher& matcher, const std::string& path) {
    const LogMatcher::Match found = must(matcher.match(must(files_.open(path)), path));
    if (found.use == LogMatcher::Use::copy) return "copy";
    if (found.use == LogMatcher::Use::wait) return "wait";
    if (found.use == LogMatcher::Use::done) return "done";
    if (found.use == LogMatcher::Use::shorter) {
      return (found.brief ? "brief " : "shorter ") + std::to_string(found.record.id);
    }
    if (found.use == LogMatcher::Use::empty) return "empty";
    if (found.record.id != 0) return std::to_string(found.record.id);
    return std::string("new") + (found.record.possible_loss ? ", possible loss" : "") +
           (found.record.possible_twice ? ", perhaps twice" : "");
  }

  [[nodiscard]] logs::FileSignature must_see(const std::string& path) const {
    return logs::signature_of(path).value();
  }

  LogMarks marks_of_all() {
    return {[this](std::int64_t id) { return Result<std::vector<db::LogMarkRecord>>(marks_[id]); },
            [this](const std::vector<std::int64_t>& ids) {
              std::map<std::int64_t, std::vector<db::LogMarkRecord>> first;
              for (const std::int64_t id : ids) first[id] = first_marks(marks_[id]);
              return Result<std::map<std::int64_t, std::vector<db::LogMarkRecord>>>(first);
            }};
  }

  // A matcher that finds nothing in memory of how logs begin, so that it has to read the file for each.
  LogMatcher reading_all(std::vector<db::LogRecord> known, const std::vector<std::string>& paths) {
    LogMarks marks = marks_of_all();
    marks.first = [](const std::vector<std::int64_t>& ids) {
      std::map<std::int64_t, std::vector<db::LogMarkRecord>> first;
      for (const std::int64_t id : ids) first[id] = {{}, {}};
      return Result<std::map<std::int64_t, std::vector<db::LogMarkRecord>>>(first);
    };
    LogMatcher matcher(files_, max_line_bytes, marks);
    matcher.renew(std::move(known), max_line_bytes);
    matcher.look_at(paths);
    return matcher;
  }

  LogMatcher looking_at(std::vector<db::LogRecord> known, const std::vector<std::string>& paths) {
    LogMatcher matcher(files_, max_line_bytes, marks_of_all());
    matcher.renew(std::move(known), max_line_bytes);
    matcher.look_at(paths);
    return matcher;
  }

  TemporaryFolder folder_;
  logs::Files files_;
  std::map<std::int64_t, std::vector<db::LogMarkRecord>> marks_;
};

}  // namespace qdedup::iteration
