#include "iteration/log_matching.h"

#include <algorithm>
#include <utility>

#include "logs/byte_source.h"

namespace qdedup::iteration {

namespace {

// Only of a packed log that was mined to its end is the time kept.
bool is_finished_pack(const db::LogRecord& record) { return record.file_modified_ns != 0; }

bool is_mined_to_its_end(const LogMatcher::File& file, const db::LogRecord& record) {
  const auto now = file->signature();
  return now.ok() && is_finished_pack(record) && now->identity == identity_of(record) &&
         now->size == record.file_size && now->modified_ns == record.file_modified_ns;
}

bool may_hold_what_was_mined(const logs::FileSignature& file, const db::LogRecord& record) {
  return may_be_of(record, file) &&
         (is_finished_pack(record) ? file.size == record.file_size : file.size >= record.offset);
}

LogMatcher::Use use_of_nothing(const logs::LogHead& head) {
  if (head.compression == logs::Compression::none) return LogMatcher::Use::empty;
  return head.cut_off ? LogMatcher::Use::wait : LogMatcher::Use::done;
}

// /var/log/search for /var/log/search.log.1.gz and /var/log/search-20261124.log
std::string_view family_of(std::string_view path) {
  const std::size_t name = path.rfind('/') + 1;  // 0 without a folder
  const std::size_t end = path.find_first_of(".-_0123456789", name);
  return path.substr(0, end == name ? path.size() : end);
}

// `answer` for a file that cannot be read; the error if it may be readable soon.
Result<bool> unless_busy(const Error& error, bool answer) {
  return error.code == ErrorCode::busy ? Result<bool>(error) : Result<bool>(answer);
}

// Is one line all that was mined of it? It may be the first one of any log.
bool is_single_line(const FileBeginning& begins, const db::LogRecord& record) {
  return begins.head().bytes.find('\n') + 1 == record.offset;
}

}  // namespace

LogMatcher::LogMatcher(const logs::Files& files, std::size_t max_line_bytes, LogMarks marks)
    : files_(&files), max_line_bytes_(max_line_bytes), beginnings_(std::move(marks)) {}

void LogMatcher::look_at(const std::vector<std::string>& paths) {
  places_.clear();
  for (const std::string& path : paths) {
    if (const auto file = logs::signature_of(path)) places_.emplace(file->identity, Place{path, *file});
  }
  std::erase_if(earlier_, [&](const db::LogRecord& record) { return !is_met(record); });
  std::erase_if(compared_, [&](const auto& entry) {
    return !places_.contains(entry.first) && !held_.contains(entry.first);
  });
}

bool LogMatcher::is_known(const logs::FileSignature& file) const {
  return std::ranges::any_of(
      known_, [&](const db::LogRecord& record) { return record.offset > 0 && may_be_of(record, file); });
}

const db::LogRecord* LogMatcher::find(std::int64_t id) const {
  const auto known = std::ranges::find(known_, id, &db::LogRecord::id);
  return known == known_.end() ? nullptr : &*known;
}

bool LogMatcher::is_of(const logs::FileSignature& file, std::int64_t id) const {
  const db::LogRecord* record = find(id);
  return record != nullptr && may_be_of(*record, file);
}

bool LogMatcher::is_met(const db::LogRecord& record) const {
  const auto held = held_.find(identity_of(record));
  if (held != held_.end() && may_be_of(record, held->second->signature_when_opened())) return true;
  const auto place = places_.find(identity_of(record));
  return place != places_.end() && may_be_of(record, place->second.file);
}

bool LogMatcher::is_followed(const db::LogRecord& record) const {
  return held_.contains(identity_of(record)) || places_.contains(identity_of(record));
}

bool LogMatcher::hides_another(const std::string& path) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.path == path && record.offset > 0 && !is_finished_pack(record) && !record.is_forgotten() &&
           !is_met(record);
  });
}

void LogMatcher::update(const db::LogRecord& record) {
  const auto known = std::ranges::find(known_, record.id, &db::LogRecord::id);
  if (known == known_.end()) {
    known_.push_back(record);
  } else {
    if (mark_of(*known) != mark_of(record)) beginnings_.forget(record.id);
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
    const bool is_same = now != by_id.end() && mark_of(record) == mark_of(*now->second);
    if (!is_same) beginnings_.forget(record.id);
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

// A copy that changes later is compared anew.
Result<std::optional<bool>> LogMatcher::is_copy(const File& file, const File& original) {
  logs::Comparisons& so_far = compared_[file->identity()];
  Result<std::optional<bool>> copy = logs::is_copy_of_beginning(file, original, so_far, comparable_);
  if (copy.ok() && *copy == true) compared_.erase(file->identity());
  return copy;
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

Result<bool> LogMatcher::holds_more(const Presence& original, const db::LogRecord& record) const {
  if (!original.file) return !is_finished_pack(record) && original.size > record.offset;
  Result<logs::LogFile> log = logs::LogFile::open(original.file, max_line_bytes_);
  if (!log.ok()) return unless_busy(log.error(), true);
  const Result<bool> same = log->resume(mark_of(record));
  if (!same.ok()) return unless_busy(same.error(), true);
  if (!*same) return true;
  const Result<std::optional<logs::LineBlock>> block = log->next_block(1);
  return block.ok() ? block->has_value() : unless_busy(block.error(), true);
}

// Whoever may write the state could name any file there, so only those are opened that are in a folder where
// logs were seen, and whose names begin like one of these.
bool LogMatcher::is_beside_what_is_read(const std::string& path) const {
  return std::ranges::any_of(
      places_, [&](const auto& place) { return family_of(place.second.path) == family_of(path); });
}

Result<LogMatcher::Presence> LogMatcher::present(const db::LogRecord& record) const {
  if (const auto held = held_.find(identity_of(record)); held != held_.end()) {
    QDEDUP_ASSIGN_OR_RETURN(const bool holds, holds_what_was_mined(held->second, record));
    return holds ? Presence{.is_there = true, .file = held->second} : Presence();
  }
  std::vector<std::string> places;
  if (const auto place = places_.find(identity_of(record)); place != places_.end()) {
    places.push_back(place->second.path);
  }
  places.push_back(record.path);
  for (const std::string& place : places) {
    const auto signature = logs::signature_of(place);
    if (!signature || signature->identity != identity_of(record)) continue;
    if (!is_beside_what_is_read(place)) {
      if (may_hold_what_was_mined(*signature, record))
        return Presence{.is_there = true, .size = signature->size, .file = nullptr};
      continue;
    }
    Result<File> file = files_->open(place);
    if (!file.ok()) continue;
    QDEDUP_ASSIGN_OR_RETURN(const bool holds, holds_what_was_mined(*file, record));
    if (holds) return Presence{.is_there = true, .file = *std::move(file)};
  }
  return Presence();
}

LogMatcher::Found LogMatcher::match_identity(const File& file, const std::string& path, OwnRecord kind) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != file->identity()) continue;
    const bool is_done = is_mined_to_its_end(file, record);
    const bool has_lines = record.totals.lines > 0 || record.is_forgotten() || is_done;
    const OwnRecord has = has_lines ? OwnRecord::of_lines : OwnRecord::of_a_loss;
    if (has != kind || (record.offset == 0 && !is_done)) continue;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
    if (is_done) return std::optional(matched(std::move(log), record, path, Use::done));
    QDEDUP_ASSIGN_OR_RETURN(const bool same, resume_if_sound(log, mark_of(record)));
    if (same && is_longer_version(file, record)) continue;
    if (same && may_be_of(record, file->signature_when_opened())) {
      return std::optional(matched(std::move(log), record, path));
    }
    if (!same && !log.cut_off()) continue;
    QDEDUP_ASSIGN_OR_RETURN(FileBeginning begins, FileBeginning::read(file));
    Found other = match_other(record, begins, std::move(log), path, same);
    if (!other.ok()) return other;
    if (other->has_value()) return same ? match_more(begins, std::move(other), path) : std::move(other);
  }
  return std::optional<Match>();
}

// Whether a file with the inode of that record's file, but born at another time, begins with all that was
// mined of another log, of which more was mined.
bool LogMatcher::is_longer_version(const File& file, const db::LogRecord& than) const {
  if (may_be_of(than, file->signature_when_opened())) return false;
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    if (record.offset <= than.offset || identity_of(record) == file->identity()) return false;
    Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
    if (!log.ok()) return false;
    const Result<bool> same = log->resume(mark_of(record));
    return same.ok() && *same;
  });
}

LogMatcher::Found LogMatcher::match_unread(const File& file, const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (record.offset > 0 || !may_be_of(record, file->signature_when_opened())) continue;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
    return std::optional(matched(std::move(log), record, path));
  }
  return std::optional<Match>();
}

// A copy of a log whose own file is there, and not looked at: lines that were not mined would be mined
// nowhere.
LogMatcher::Found LogMatcher::match_unfollowed(const db::LogRecord& record, logs::LogFile log,
                                               const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(const bool same, resume_if_sound(log, mark_of(record)));
  if (!same) return std::optional(Match{std::move(log), record, Use::copy});
  QDEDUP_ASSIGN_OR_RETURN(const logs::LogFile::Passed passed, log.pass_over({}));
  if (!passed.more) return std::optional(Match{std::move(log), record, Use::copy});
  return std::optional(matched(std::move(log), record, path));
}

LogMatcher::Found LogMatcher::match_record(const db::LogRecord& record, FileBeginning& begins,
                                           const File& file, const std::string& path, bool& holds_all) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
  // Not compared if the file is the original and a copy was mistaken for it meanwhile.
  const bool is_original = held_log(log.signature_when_opened(), record.id);
  QDEDUP_ASSIGN_OR_RETURN(Presence original, is_original ? Result<Presence>(Presence()) : present(record));
  const bool is_compared = original.file != nullptr;
  if (is_compared) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<bool> copy, is_copy(file, original.file));
    const auto later = [&] {
      return std::optional(
          Match{.file = std::move(log), .record = {}, .use = Use::compare, .cut = was_cut(file, path)});
    };
    if (!copy) return later();
    if (*copy) {
      // It may have been cut before it was compared, and what is empty is the beginning of anything.
      QDEDUP_ASSIGN_OR_RETURN(const logs::LogHead now, logs::read_head(file));
      if (!now.bytes.starts_with(begins.head().bytes)) return later();
      return is_followed(record) || record.is_forgotten()
                 ? std::optional(Match{std::move(log), record, Use::copy})
                 : match_unfollowed(record, std::move(log), path);
    }
    // The original may have been cut during the comparison, as copytruncate does; then this file is the log
    // now.
    QDEDUP_ASSIGN_OR_RETURN(original, present(record));
  }
  if (original.is_there) {
    const Result<bool> same = log.resume(mark_of(record));
    holds_all = same.ok() && *same;
    const bool is_left_out = holds_all && record.is_forgotten() && !is_single_line(begins, record);
    return is_left_out ? std::optional(Match{std::move(log), record, Use::copy}) : std::nullopt;
  }
  QDEDUP_ASSIGN_OR_RETURN(const bool same, resume_if_sound(log, mark_of(record)));
  return match_other(record, begins, std::move(log), path, same);
}

// A file other than the log's own that begins with all that was mined of it, if `same`, or else perhaps with
// part of it. A single line of a forgotten log may be the first one of any other: that is left out only where
// it stands alone.
LogMatcher::Found LogMatcher::match_other(const db::LogRecord& record, FileBeginning& begins,
                                          logs::LogFile log, const std::string& path, bool same) {
  if (!same) {
    QDEDUP_ASSIGN_OR_RETURN(const bool waits,
                            log.cut_off() ? may_become(begins, record) : Result<bool>(false));
    return waits ? std::optional(Match{std::move(log), {}, Use::wait}) : std::nullopt;
  }
  if (!record.is_forgotten() || !is_single_line(begins, record))
    return std::optional(matched(std::move(log), record, path));
  QDEDUP_ASSIGN_OR_RETURN(const logs::LogFile::Passed passed, log.pass_over({}));
  return passed.more ? std::nullopt : std::optional(Match{std::move(log), record, Use::copy});
}

// Tries the logs of which most was mined first, since others may be their beginnings. A file may also hold
// less than was mined of such a log, and more than of its beginning.
LogMatcher::Found LogMatcher::match_content(FileBeginning& begins, const File& file,
                                            const std::string& path) {
  std::vector<const db::LogRecord*> likely;
  for (const db::LogRecord& record : known_) {
    const bool is_another = record.offset > 0 && identity_of(record) != file->identity();
    if (is_another && begins.may_be(record)) likely.push_back(&record);
  }
  std::ranges::stable_sort(likely, std::ranges::greater(), &db::LogRecord::offset);
  const bool are_many = likely.size() > 1;
  if (are_many) QDEDUP_TRY(beginnings_.prepare(begins, likely));
  for (const db::LogRecord* record : likely) {
    const auto shared =
        are_many ? begins.shared_with(*record, beginnings_.first_marks(record->id), is_met(*record))
                 : std::nullopt;
    if (shared && shared->differs) continue;
    bool holds_all = false;
    Found match = match_record(*record, begins, file, path, holds_all);
    if (!match.ok()) return match;
    if (match->has_value()) {
      const bool may_share_more = record != likely.front() && (*match)->use == Use::mine;
      return may_share_more ? match_more(begins, std::move(match), path) : std::move(match);
    }
    if (holds_all) break;  // and more than of the others, even if the file of one of those is gone
  }
  return std::optional<Match>();
}

bool LogMatcher::was_cut(const File& file, const std::string& path) const {
  const logs::FileSignature& opened = file->signature_when_opened();
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    const bool is_certain = record.born_ns != 0 && record.born_ns == opened.born_ns;
    return record.offset > 0 && !record.is_forgotten() && may_be_of(record, opened) &&
           (is_certain || record.path == path);
  });
}

LogMatcher::Match LogMatcher::matched(logs::LogFile file, const db::LogRecord& record,
                                      const std::string& path, Use use) {
  Match match{std::move(file), record, use};
  match.record.path = path;
  const logs::FileSignature& opened = match.file.signature_when_opened();
  match.record.device = opened.identity.device;
  match.record.inode = opened.identity.inode;
  match.record.born_ns = opened.born_ns;
  match.moved =
      record.path != path || identity_of(record) != opened.identity || record.born_ns != opened.born_ns;
  return match;
}

Result<LogMatcher::Match> LogMatcher::match_new(const File& file, const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes_));
  Match match = matched(std::move(log), {}, path);
  match.cut = was_cut(file, path);
  match.record.possible_loss = match.cut || hides_another(path);
  return match;
}

Result<LogMatcher::Match> LogMatcher::match(const File& file, const std::string& path) {
  Found known = match_identity(file, path, OwnRecord::of_lines);
  if (!known.ok()) return std::move(known).error();
  if (known->has_value()) return **std::move(known);
  QDEDUP_ASSIGN_OR_RETURN(FileBeginning begins, FileBeginning::read(file));
  const logs::LogHead& head = begins.head();
  if (!head.is_undecided()) known = match_content(begins, file, path);
  if (known.ok() && !known->has_value() && !head.is_undecided()) known = match_part(begins, file, path);
  if (known.ok() && !known->has_value()) known = match_unread(file, path);
  if (!known.ok()) return std::move(known).error();
  Result<Match> match = known->has_value() ? Result<Match>(**std::move(known)) : match_new(file, path);
  if (match.ok() && head.is_undecided()) match->use = use_of_nothing(head);
  if (match.ok() && match->use == Use::mine && match->is_new() && !match->record.possible_twice) {
    QDEDUP_ASSIGN_OR_RETURN(match->record.possible_twice, repeats_known(begins, *match));
  }
  return match;
}

}  // namespace qdedup::iteration
