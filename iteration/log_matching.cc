#include "iteration/log_matching.h"

#include <algorithm>
#include <utility>

namespace qdedup::iteration {
namespace {

logs::LogMark mark_of(const db::LogRecord& record) {
  return {record.offset, record.head_hash, record.tail_hash};
}

LogMatcher::Identity identity_of(const db::LogRecord& record) { return {record.device, record.inode}; }

// An inode that was given to another file has another birth.
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

LogMatcher::Use use_of_nothing(const logs::LogHead& head) {
  if (head.compression == logs::Compression::none) return LogMatcher::Use::empty;
  return head.cut_off ? LogMatcher::Use::wait : LogMatcher::Use::done;
}

}  // namespace

LogMatcher::LogMatcher(const logs::Files& files, std::vector<db::LogRecord> known, std::size_t max_line_bytes)
    : files_(&files), known_(std::move(known)), max_line_bytes_(max_line_bytes) {}

void LogMatcher::look_at(const std::vector<std::string>& paths) {
  places_.clear();
  for (const std::string& path : paths) {
    if (const auto file = files_->signature(path)) places_.emplace(file->identity, Place{path, *file});
  }
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
    return record.path == path && record.offset > 0 && !is_met(record);
  });
}

std::uint64_t LogMatcher::mined_up_to(std::int64_t record_id) const {
  const auto known = std::ranges::find(known_, record_id, &db::LogRecord::id);
  return known == known_.end() ? 0 : known->offset;
}

void LogMatcher::update(const db::LogRecord& record) {
  const auto known = std::ranges::find(known_, record.id, &db::LogRecord::id);
  if (known == known_.end()) {
    known_.push_back(record);
  } else {
    *known = record;
  }
}

void LogMatcher::hold(const File& file) { held_[file->identity()] = file; }

void LogMatcher::release(const Identity& identity) { held_.erase(identity); }

bool LogMatcher::holds_what_was_mined(const File& file, const db::LogRecord& record) const {
  if (file->identity() != identity_of(record)) return false;
  if (is_mined_to_its_end(file, record)) return true;
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return false;
  const Result<bool> same = log->resume(mark_of(record));
  return same.ok() && *same;
}

LogMatcher::File LogMatcher::present(const db::LogRecord& record) const {
  if (const auto held = held_.find(identity_of(record)); held != held_.end()) {
    return holds_what_was_mined(held->second, record) ? held->second : nullptr;
  }
  std::vector<std::string> places = {record.path};
  if (const auto place = places_.find(identity_of(record)); place != places_.end()) {
    places.push_back(place->second.path);
  }
  for (const std::string& place : places) {
    const auto signature = files_->signature(place);
    if (!signature || signature->identity != identity_of(record)) continue;
    Result<File> file = files_->open(place);
    if (file.ok() && holds_what_was_mined(*file, record)) return *std::move(file);
  }
  return nullptr;
}

LogMatcher::Found LogMatcher::match_identity(const File& file, const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != file->identity()) continue;
    const bool is_done = is_mined_to_its_end(file, record);
    if (record.offset == 0 && !is_done) continue;
    Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
    if (!log.ok()) return std::move(log).error();
    if (is_done) return std::optional(matched(*std::move(log), record, path, Use::done));
    const Result<bool> same = log->resume(mark_of(record));
    if (!same.ok()) return same.error();
    if (*same) return std::optional(matched(*std::move(log), record, path));
    if (log->cut_off()) return std::optional(Match{*std::move(log), {}, Use::wait});
  }
  return std::optional<Match>();
}

LogMatcher::Found LogMatcher::match_unread(const File& file, const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != file->identity() || record.offset > 0) continue;
    Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
    if (!log.ok()) return std::move(log).error();
    return std::optional(matched(*std::move(log), record, path));
  }
  return std::optional<Match>();
}

LogMatcher::Found LogMatcher::match_record(const db::LogRecord& record, const File& file,
                                           const std::string& path) {
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return std::move(log).error();
  if (const File original = present(record)) {
    const Result<bool> copy = logs::is_copy_of_beginning(file, original);
    if (!copy.ok()) return copy.error();
    if (*copy) return std::optional(Match{*std::move(log), record, Use::copy});
    // Unless the original was cut while it was compared, as copytruncate does: then this is the log now.
    if (present(record)) return std::optional<Match>();
  }
  const Result<bool> same = log->resume(mark_of(record));
  if (!same.ok()) return same.error();
  if (*same) return std::optional(matched(*std::move(log), record, path));
  if (log->cut_off()) return std::optional(Match{*std::move(log), {}, Use::wait});
  return std::optional<Match>();
}

LogMatcher::Found LogMatcher::match_content(const logs::LogHead& head, const File& file,
                                            const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (record.offset == 0 || !logs::may_begin_with(head.bytes, mark_of(record))) continue;
    Found match = match_record(record, file, path);
    const bool only_perhaps =
        head.bytes.size() < std::min<std::uint64_t>(record.offset, logs::LogMark::window);
    if (!match.ok() && only_perhaps) continue;  // damaged, and nothing says that it is this log
    if (!match.ok() || match->has_value()) return match;
  }
  return std::optional<Match>();
}

bool LogMatcher::was_cut(const File& file, const std::string& path) const {
  const logs::FileSignature& opened = file->signature_when_opened();
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    const bool is_certain = record.born_ns != 0 && record.born_ns == opened.born_ns;
    return record.offset > 0 && may_be_of(record, opened) && (is_certain || record.path == path);
  });
}

Result<LogMatcher::Match> LogMatcher::match_new(const File& file, const std::string& path) {
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return std::move(log).error();
  Match match = matched(*std::move(log), {}, path);
  match.cut = was_cut(file, path);
  match.record.possible_loss = match.cut || hides_another(path);
  return match;
}

Result<LogMatcher::Match> LogMatcher::match(const File& file, const std::string& path) {
  Found known = match_identity(file, path);
  if (!known.ok()) return std::move(known).error();
  if (known->has_value()) return **std::move(known);
  const Result<logs::LogHead> head = logs::read_head(file);
  if (!head.ok()) return head.error();
  if (!head->is_undecided()) known = match_content(*head, file, path);
  if (known.ok() && !known->has_value()) known = match_unread(file, path);
  if (!known.ok()) return std::move(known).error();
  Result<Match> match = known->has_value() ? Result<Match>(**std::move(known)) : match_new(file, path);
  if (match.ok() && head->is_undecided()) match->use = use_of_nothing(*head);
  return match;
}

}  // namespace qdedup::iteration
