#include "iteration/log_matching.h"

#include <algorithm>

namespace qdedup::iteration {
namespace {

logs::LogMark mark_of(const db::LogRecord& record) {
  return {record.offset, record.head_hash, record.tail_hash};
}

LogMatcher::Identity identity_of(const db::LogRecord& record) { return {record.device, record.inode}; }

LogMatcher::Identity identity_of(const LogMatcher::File& file) { return {file->device(), file->inode()}; }

bool is_mined_to_its_end(const LogMatcher::File& file, const db::LogRecord& record) {
  const auto now = file->signature();
  return now.ok() && record.file_modified_ns != 0 &&
         *now == logs::FileSignature{record.device, record.inode, record.file_size, record.file_modified_ns};
}

LogMatcher::Match matched(logs::LogFile file, const db::LogRecord& record, const std::string& path,
                          LogMatcher::Use use = LogMatcher::Use::mine) {
  LogMatcher::Match match{std::move(file), record, use};
  match.record.path = path;
  match.record.device = match.file.device();
  match.record.inode = match.file.inode();
  match.moved = record.path != path || identity_of(record) != identity_of(match.record);
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
  paths_.clear();
  for (const std::string& path : paths) {
    if (const auto signature = files_->signature(path)) paths_.emplace(signature->identity(), path);
  }
}

bool LogMatcher::is_known(const Identity& identity) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.offset > 0 && identity_of(record) == identity;
  });
}

bool LogMatcher::is_met(const Identity& identity) const {
  return paths_.contains(identity) || held_.contains(identity);
}

LogMatcher::Turn LogMatcher::turn_of(const Identity& identity, const std::string& path) const {
  if (is_known(identity)) return Turn::known;
  const bool replaced = std::ranges::find(known_, path, &db::LogRecord::path) != known_.end();
  return replaced ? Turn::replaced : Turn::other;
}

std::vector<std::string> LogMatcher::in_order(const std::vector<std::string>& paths) const {
  struct Place {
    Turn turn;
    std::uint64_t size;
    std::string path;
  };
  std::vector<Place> places;
  for (const std::string& path : paths) {
    const auto file = files_->signature(path).value_or(logs::FileSignature());
    places.push_back({turn_of(file.identity(), path), file.size, path});
  }
  std::ranges::stable_sort(places, {}, [](const Place& place) { return std::pair(place.turn, ~place.size); });
  std::vector<std::string> answer;
  answer.reserve(places.size());
  for (Place& place : places) answer.push_back(std::move(place.path));
  return answer;
}

bool LogMatcher::hides_another(const std::string& path) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.path == path && record.offset > 0 && !is_met(identity_of(record));
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

void LogMatcher::hold(const File& file) { held_[identity_of(file)] = file; }

void LogMatcher::release(const Identity& identity) { held_.erase(identity); }

bool LogMatcher::holds_what_was_mined(const File& file, const db::LogRecord& record) const {
  if (identity_of(file) != identity_of(record)) return false;
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
  if (const auto seen = paths_.find(identity_of(record)); seen != paths_.end()) {
    places.push_back(seen->second);
  }
  for (const std::string& place : places) {
    const auto signature = files_->signature(place);
    if (!signature || signature->identity() != identity_of(record)) continue;
    Result<File> file = files_->open(place);
    if (file.ok() && holds_what_was_mined(*file, record)) return *std::move(file);
  }
  return nullptr;
}

LogMatcher::Found LogMatcher::match_identity(const File& file, const std::string& path) {
  for (const db::LogRecord& record : known_) {
    if (identity_of(record) != identity_of(file)) continue;
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
    if (identity_of(record) != identity_of(file) || record.offset > 0) continue;
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

bool LogMatcher::was_cut(const Identity& identity, const std::string& path) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.path == path && record.offset > 0 && identity_of(record) == identity;
  });
}

Result<LogMatcher::Match> LogMatcher::match_new(const File& file, const std::string& path) {
  Result<logs::LogFile> log = logs::LogFile::open(file, max_line_bytes_);
  if (!log.ok()) return std::move(log).error();
  Match match = matched(*std::move(log), {}, path);
  match.cut = was_cut(identity_of(file), path);
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
