#include "iteration/log_matching.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "logs/byte_source.h"
#include "logs/log_mark.h"

namespace qdedup::iteration {

// How much of a file is the beginning of a mined log.
struct SharedBeginning {
  logs::LogFile file;    // positioned after the last line known to be shared
  bool several = false;  // more than one line is shared
  bool more = false;     // complete lines follow
  bool exact = false;    // the first of those is known not to be the log's
};

namespace {

logs::LogMark mark_of(const db::LogRecord& record) {
  return {record.offset, record.head_hash, record.tail_hash};
}

LogMatcher::Identity identity_of(const db::LogRecord& record) { return {record.device, record.inode}; }

// If an inode was reused for another file, the birth times differ.
bool may_be_of(const db::LogRecord& record, const logs::FileSignature& file) {
  const bool contradicts = record.born_ns != 0 && file.born_ns != 0 && record.born_ns != file.born_ns;
  return identity_of(record) == file.identity && !contradicts;
}

bool is_mined_to_its_end(const LogMatcher::File& file, const db::LogRecord& record) {
  const auto now = file->signature();
  return now.ok() && record.file_modified_ns != 0 && now->identity == identity_of(record) &&
         now->size == record.file_size && now->modified_ns == record.file_modified_ns;
}

LogMatcher::Match matched(logs::LogFile file, const db::LogRecord& record, const std::string& path,
                          LogMatcher::Use use = LogMatcher::Use::mine) {
  LogMatcher::Match match{std::move(file), record, use};
  match.record.path = path;
  const logs::FileSignature& opened = match.file.signature_when_opened();
  match.record.device = opened.identity.device;
  match.record.inode = opened.identity.inode;
  match.record.born_ns = opened.born_ns;
  match.moved =
      record.path != path || identity_of(record) != opened.identity || record.born_ns != opened.born_ns;
  return match;
}

// False is certain, except for lines whose hash is not kept.
bool may_share_lines(const logs::LogHead& head, const db::LogRecord& record) {
  const std::string_view bytes = head.bytes;
  const std::string_view first = bytes.substr(0, bytes.find('\n') + 1);
  if (first.empty() || record.first_line == 0) return logs::may_begin_with(bytes, mark_of(record));
  return logs::line_hash(first) == record.first_line;
}

LogMatcher::Use use_of_nothing(const logs::LogHead& head) {
  if (head.compression == logs::Compression::none) return LogMatcher::Use::empty;
  return head.cut_off ? LogMatcher::Use::wait : LogMatcher::Use::done;
}

// For a mark near the beginning, the hash of the log's first bytes covers only those before the mark.
logs::LogMark place_of(const db::LogMarkRecord& mark, const db::LogRecord& record) {
  if (mark.begin_offset == 0) return {};
  const bool is_near = mark.begin_offset < logs::LogMark::window;
  return {mark.begin_offset, is_near ? mark.tail_hash : record.head_hash, mark.tail_hash};
}

// Determined by the marks of the log, whose offsets ascend: line by line at the beginning and the end of what
// was mined, in steps in between.
Result<SharedBeginning> shared_beginning(const std::shared_ptr<const logs::RegularFile>& file,
                                         const db::LogRecord& record,
                                         const std::vector<db::LogMarkRecord>& marks,
                                         std::size_t max_line_bytes) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile found, logs::LogFile::open(file, max_line_bytes));
  std::size_t fitting = 0;  // the marks before this one fit
  for (std::size_t end = marks.size(); fitting < end;) {
    const std::size_t middle = fitting + (end - fitting) / 2;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes));
    QDEDUP_ASSIGN_OR_RETURN(const bool fits, log.resume(place_of(marks[middle], record)));
    if (fits) {
      fitting = middle + 1;
      found = std::move(log);
    } else {
      end = middle;
    }
  }
  if (fitting == 0) return SharedBeginning{std::move(found), false, true, false};
  const db::LogMarkRecord& mark = marks[fitting - 1];
  QDEDUP_ASSIGN_OR_RETURN(const logs::LogFile::Passed passed, found.pass_over(mark.line_hashes));
  const bool several = mark.begin_offset > 0 || passed.lines > 1;
  const bool differs = passed.lines * logs::line_hash_bytes < mark.line_hashes.size();
  const bool exact = !passed.more || differs || found.offset() == record.offset;
  return SharedBeginning{std::move(found), several, passed.more, exact};
}

// `answer` for a file that cannot be read; the error if it may be readable soon.
Result<bool> unless_busy(const Error& error, bool answer) {
  return error.code == ErrorCode::busy ? Result<bool>(error) : Result<bool>(answer);
}

}  // namespace

LogMatcher::LogMatcher(const logs::Files& files, std::vector<db::LogRecord> known, std::size_t max_line_bytes,
                       Marks marks)
    : files_(&files), known_(std::move(known)), max_line_bytes_(max_line_bytes), marks_(std::move(marks)) {}

void LogMatcher::look_at(const std::vector<std::string>& paths) {
  places_.clear();
  for (const std::string& path : paths) {
    if (const auto file = logs::signature_of(path)) places_.emplace(file->identity, Place{path, *file});
  }
  std::erase_if(earlier_, [&](const db::LogRecord& record) { return !is_met(record); });
}

bool LogMatcher::is_known(const logs::FileSignature& file) const {
  return std::ranges::any_of(
      known_, [&](const db::LogRecord& record) { return record.offset > 0 && may_be_of(record, file); });
}

bool LogMatcher::is_met(const db::LogRecord& record) const {
  const auto held = held_.find(identity_of(record));
  if (held != held_.end() && may_be_of(record, held->second->signature_when_opened())) return true;
  const auto place = places_.find(identity_of(record));
  return place != places_.end() && may_be_of(record, place->second.file);
}

bool LogMatcher::hides_another(const std::string& path) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    const bool is_finished = record.file_modified_ns != 0;
    return record.path == path && record.offset > 0 && !is_finished && !is_met(record);
  });
}

void LogMatcher::update(const db::LogRecord& record) {
  const auto known = std::ranges::find(known_, record.id, &db::LogRecord::id);
  if (known == known_.end()) {
    known_.push_back(record);
  } else {
    note_earlier(*known, record);
    *known = record;
  }
}

void LogMatcher::renew(std::vector<db::LogRecord> known, std::size_t max_line_bytes) {
  max_line_bytes_ = max_line_bytes;
  std::map<std::int64_t, const db::LogRecord*> by_id;
  for (const db::LogRecord& record : known) by_id.emplace(record.id, &record);
  for (const db::LogRecord& record : known_) {
    const auto now = by_id.find(record.id);
    if (now != by_id.end()) note_earlier(record, *now->second);
  }
  known_ = std::move(known);
}

// If a record moves to another file, the file it leaves does not belong to a new log.
void LogMatcher::note_earlier(const db::LogRecord& before, const db::LogRecord& now) {
  if (before.offset > 0 && identity_of(before) != identity_of(now)) earlier_.push_back(before);
}

// Whether the file held the log of that record, or any log.
bool LogMatcher::held_log(const logs::FileSignature& file, std::optional<std::int64_t> id) const {
  return std::ranges::any_of(earlier_, [&](const db::LogRecord& record) {
    return (!id || record.id == *id) && may_be_of(record, file);
  });
}

void LogMatcher::hold(const File& file) { held_[file->identity()] = file; }

Result<bool> LogMatcher::holds_what_was_mined(const File& file, const db::LogRecord& record) const {
  if (file->identity() != identity_of(record)) return false;
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return unless_busy(log.error(), false);
  const Result<bool> same = log->resume(mark_of(record));
  if (!same.ok()) return unless_busy(same.error(), false);
  return *same && logs::is_whole(*file);
}

Result<bool> LogMatcher::holds_more(const File& file, const db::LogRecord& record) const {
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return unless_busy(log.error(), true);
  const Result<bool> same = log->resume(mark_of(record));
  if (!same.ok()) return unless_busy(same.error(), true);
  if (!*same) return true;
  const Result<std::optional<logs::LineBlock>> block = log->next_block(1);
  return block.ok() ? block->has_value() : unless_busy(block.error(), true);
}

Result<LogMatcher::File> LogMatcher::present(const db::LogRecord& record) const {
  if (const auto held = held_.find(identity_of(record)); held != held_.end()) {
    QDEDUP_ASSIGN_OR_RETURN(const bool holds, holds_what_was_mined(held->second, record));
    return holds ? held->second : nullptr;
  }
  std::vector<std::string> places = {record.path};
  if (const auto place = places_.find(identity_of(record)); place != places_.end()) {
    places.push_back(place->second.path);
  }
  for (const std::string& place : places) {
    const auto signature = logs::signature_of(place);
    if (!signature || signature->identity != identity_of(record)) continue;
    Result<File> file = files_->open(place);
    if (!file.ok()) continue;
    QDEDUP_ASSIGN_OR_RETURN(const bool holds, holds_what_was_mined(*file, record));
    if (holds) return file;
  }
  return File();
}

LogMatcher::Found LogMatcher::match_identity(const File& file, const std::string& path, OwnRecord kind) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != file->identity()) continue;
    const bool is_done = is_mined_to_its_end(file, record);
    const OwnRecord has = record.totals.lines > 0 || is_done ? OwnRecord::of_lines : OwnRecord::of_a_loss;
    if (has != kind || (record.offset == 0 && !is_done)) continue;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
    if (is_done) return std::optional(matched(std::move(log), record, path, Use::done));
    QDEDUP_ASSIGN_OR_RETURN(const bool same, log.resume(mark_of(record)));
    if (same) return std::optional(matched(std::move(log), record, path));
    if (log.cut_off()) return std::optional(Match{std::move(log), {}, Use::wait});
  }
  return std::optional<Match>();
}

LogMatcher::Found LogMatcher::match_unread(const File& file, const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != file->identity() || record.offset > 0) continue;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
    return std::optional(matched(std::move(log), record, path));
  }
  return std::optional<Match>();
}

LogMatcher::Found LogMatcher::match_record(const db::LogRecord& record, const File& file,
                                           const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
  // Not compared if the file is the original and a copy was mistaken for it meanwhile.
  const bool is_original = held_log(log.signature_when_opened(), record.id);
  QDEDUP_ASSIGN_OR_RETURN(const File original, is_original ? Result<File>(File()) : present(record));
  if (original) {
    QDEDUP_ASSIGN_OR_RETURN(const bool copy, logs::is_copy_of_beginning(file, original));
    if (copy) return std::optional(Match{std::move(log), record, Use::copy});
    // The original may have been cut during the comparison, as copytruncate does; then this file is the log
    // now.
    QDEDUP_ASSIGN_OR_RETURN(const File still, present(record));
    if (still) return std::optional<Match>();
  }
  const Result<bool> same = log.resume(mark_of(record));
  // Damaged before that point.
  if (!same.ok() && same.error().code == ErrorCode::data) return std::optional<Match>();
  if (!same.ok()) return same.error();
  if (*same) return std::optional(matched(std::move(log), record, path));
  if (log.cut_off()) return std::optional(Match{std::move(log), {}, Use::wait});
  return std::optional<Match>();
}

// Tries the logs of which most was mined first, since others may be their beginnings.
LogMatcher::Found LogMatcher::match_content(const logs::LogHead& head, const File& file,
                                            const std::string& path) {
  std::vector<const db::LogRecord*> likely;
  for (const db::LogRecord& record : known_) {
    const bool is_another = record.offset > 0 && identity_of(record) != file->identity();
    if (is_another && logs::may_begin_with(head.bytes, mark_of(record))) likely.push_back(&record);
  }
  std::ranges::stable_sort(likely, std::ranges::greater(), &db::LogRecord::offset);
  for (const db::LogRecord* record : likely) {
    Found match = match_record(*record, file, path);
    if (!match.ok() || match->has_value()) return match;
  }
  return std::optional<Match>();
}

// Matches the log that it shares most with.
LogMatcher::Found LogMatcher::match_beginning(const logs::LogHead& head, const File& file,
                                              const std::string& path) {
  const db::LogRecord* log = nullptr;
  std::optional<SharedBeginning> most;
  for (const db::LogRecord& record : known_) {
    if (record.offset == 0 || !may_share_lines(head, record)) continue;
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::LogMarkRecord> marks, marks_(record.id));
    QDEDUP_ASSIGN_OR_RETURN(SharedBeginning shared, shared_beginning(file, record, marks, max_line_bytes_));
    const bool is_most = !most || shared.file.offset() > most->file.offset() ||
                         (shared.file.offset() == most->file.offset() && shared.exact);
    if (!is_most) continue;
    log = &record;
    most = std::move(shared);
  }
  if (log == nullptr) return std::optional<Match>();
  if (most->file.offset() > 0) return match_shared(*log, *std::move(most), path);
  return most->exact ? Found(std::nullopt) : match_uncertain(head, *log, file, path);
}

LogMatcher::Found LogMatcher::match_shared(const db::LogRecord& record, SharedBeginning shared,
                                           const std::string& path) {
  const logs::LogMark mark = shared.file.mark();
  const logs::FileSignature& opened = shared.file.signature_when_opened();
  const bool cut = was_cut(shared.file.file(), path);
  const bool is_known = cut || may_be_of(record, opened) || held_log(opened);
  QDEDUP_ASSIGN_OR_RETURN(const File there, present(record));
  const bool is_weak = !shared.several && 2 * mark.offset < record.offset;
  // If a copy holds the log, this file was more likely emptied than cut back to one line.
  if (is_weak && is_known && there) return match_perhaps_twice(shared.file.file(), path);
  if (there && !shared.more) return std::optional(Match{std::move(shared.file), record, Use::copy});
  bool goes_on = shared.several && mark.offset == record.offset && there;
  if (goes_on) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, holds_more(there, record));
    goes_on = !more;
  }
  if (!shared.more) {
    Match match = matched(std::move(shared.file), record, path, Use::shorter);
    match.cut = cut;
    match.brief = is_weak;
    return std::optional(std::move(match));
  }
  if (!is_known && (is_weak || (there && !goes_on))) return match_perhaps_twice(shared.file.file(), path);
  Match match = matched(std::move(shared.file), {}, path);
  match.record.offset = mark.offset;
  match.record.head_hash = mark.head_hash;
  match.record.tail_hash = mark.tail_hash;
  match.record.first_line = record.first_line;
  match.record.possible_loss = !there || cut || hides_another(path);
  match.record.possible_twice = !shared.exact;
  match.cut = cut;
  return std::optional(std::move(match));
}

// It is no longer known how much the file shares with a log that begins the same way.
LogMatcher::Found LogMatcher::match_uncertain(const logs::LogHead& head, const db::LogRecord& record,
                                              const File& file, const std::string& path) {
  const bool is_short = std::min<std::uint64_t>(head.bytes.size(), record.offset) < logs::LogMark::window;
  const bool is_same_line = record.first_line != 0;
  if (is_short && !is_same_line && !may_be_of(record, file->signature_when_opened())) {
    return std::optional<Match>();
  }
  return match_perhaps_twice(file, path);
}

LogMatcher::Found LogMatcher::match_perhaps_twice(const File& file, const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(Match match, match_new(file, path));
  match.record.possible_twice = true;
  return std::optional(std::move(match));
}

bool LogMatcher::was_cut(const File& file, const std::string& path) const {
  const logs::FileSignature& opened = file->signature_when_opened();
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    const bool is_certain = record.born_ns != 0 && record.born_ns == opened.born_ns;
    return record.offset > 0 && may_be_of(record, opened) && (is_certain || record.path == path);
  });
}

Result<LogMatcher::Match> LogMatcher::match_new(const File& file, const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
  Match match = matched(std::move(log), {}, path);
  match.cut = was_cut(file, path);
  match.record.possible_loss = match.cut || hides_another(path);
  return match;
}

// Matches by what it shares with another log, or by its own record, which only says that something was lost:
// whichever covers more.
LogMatcher::Found LogMatcher::match_part(const logs::LogHead& head, const File& file,
                                         const std::string& path) {
  Found own = match_identity(file, path, OwnRecord::of_a_loss);
  if (!own.ok()) return own;
  Found shared = match_beginning(head, file, path);
  if (!shared.ok() || !own->has_value()) return shared;
  const bool knows_more = shared->has_value() &&
                          ((*shared)->use != Use::mine || (*shared)->record.offset > (*own)->record.offset);
  return knows_more ? std::move(shared) : std::move(own);
}

Result<LogMatcher::Match> LogMatcher::match(const File& file, const std::string& path) {
  Found known = match_identity(file, path, OwnRecord::of_lines);
  if (!known.ok()) return std::move(known).error();
  if (known->has_value()) return **std::move(known);
  QDEDUP_ASSIGN_OR_RETURN(const logs::LogHead head, logs::read_head(file));
  if (!head.is_undecided()) known = match_content(head, file, path);
  if (known.ok() && !known->has_value() && !head.is_undecided()) known = match_part(head, file, path);
  if (known.ok() && !known->has_value()) known = match_unread(file, path);
  if (!known.ok()) return std::move(known).error();
  Result<Match> match = known->has_value() ? Result<Match>(**std::move(known)) : match_new(file, path);
  if (match.ok() && head.is_undecided()) match->use = use_of_nothing(head);
  return match;
}

}  // namespace qdedup::iteration
