#include "iteration/log_matching.h"

#include <algorithm>

#include <sys/stat.h>

#include "logs/log_head.h"

namespace qdedup::iteration {
namespace {

logs::LogMark mark_of(const db::LogRecord& record) {
  return {record.offset, record.head_hash, record.tail_hash};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>(status.st_dev, status.st_ino);
}

std::pair<std::uint64_t, std::uint64_t> identity_of(const db::LogRecord& record) {
  return {record.device, record.inode};
}

LogMatcher::Match matched(logs::LogFile file, db::LogRecord record) {
  record.path = file.path();
  record.device = file.device();
  record.inode = file.inode();
  return {std::move(file), std::move(record)};
}

}  // namespace

LogMatcher::LogMatcher(std::vector<db::LogRecord> known, const std::vector<std::string>& paths)
    : known_(std::move(known)) {
  for (const std::string& path : paths) {
    if (const auto identity = identity_at(path)) files_.emplace_back(*identity, path);
  }
}

bool LogMatcher::is_known(const Identity& identity) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.offset > 0 && identity_of(record) == identity;
  });
}

std::vector<std::string> LogMatcher::in_order(const std::vector<std::string>& paths) const {
  enum class Turn { known, other, replaced };
  const auto turn_of = [&](const std::string& path) {
    const auto identity = identity_at(path);
    if (identity && is_known(*identity)) return Turn::known;
    const bool replaced = std::ranges::find(known_, path, &db::LogRecord::path) != known_.end();
    return replaced ? Turn::replaced : Turn::other;
  };
  std::vector<std::string> ordered = paths;
  std::ranges::stable_sort(ordered, {}, turn_of);
  return ordered;
}

void LogMatcher::update(const db::LogRecord& record) {
  const auto known = std::ranges::find(known_, record.id, &db::LogRecord::id);
  if (known == known_.end()) {
    known_.push_back(record);
  } else {
    *known = record;
  }
}

std::optional<std::string> LogMatcher::present_path(const db::LogRecord& record,
                                                    std::size_t max_line_bytes) const {
  std::vector<std::string> places;
  if (identity_at(record.path) == identity_of(record)) places.push_back(record.path);
  for (const auto& [identity, path] : files_) {
    if (identity == identity_of(record)) places.push_back(path);
  }
  for (const std::string& place : places) {
    Result<logs::LogFile> file = logs::LogFile::open(place, max_line_bytes);
    if (!file.ok()) continue;
    const Result<bool> same = file->resume(mark_of(record));
    if (same.ok() && *same) return place;
  }
  return std::nullopt;
}

Result<std::optional<LogMatcher::Match>> LogMatcher::match_identity(const std::string& path,
                                                                    std::size_t max_line_bytes) {
  const auto identity = identity_at(path);
  for (const db::LogRecord& record : known_) {
    if (!identity || identity_of(record) != *identity || record.offset == 0) continue;
    Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
    if (!file.ok()) return std::move(file).error();
    const Result<bool> same = file->resume(mark_of(record));
    if (!same.ok()) return same.error();
    if (*same) return std::optional(matched(*std::move(file), record));
    if (file->cut_off()) return std::optional(Match{*std::move(file), {}, Use::wait});
  }
  return std::optional<Match>();
}

Result<std::optional<LogMatcher::Match>> LogMatcher::match_unread(const std::string& path,
                                                                  std::size_t max_line_bytes) {
  const auto identity = identity_at(path);
  for (const db::LogRecord& record : known_) {
    if (!identity || identity_of(record) != *identity || record.offset > 0 || record.path != path) continue;
    Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
    if (!file.ok()) return std::move(file).error();
    return std::optional(matched(*std::move(file), record));
  }
  return std::optional<Match>();
}

Result<std::optional<LogMatcher::Match>> LogMatcher::match_record(const db::LogRecord& record,
                                                                  const std::string& path,
                                                                  std::size_t max_line_bytes) {
  Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
  if (!file.ok()) return std::move(file).error();
  if (const auto original = present_path(record, max_line_bytes)) {
    const Result<bool> copy = logs::is_copy_of_beginning(path, *original);
    if (!copy.ok()) return copy.error();
    if (!*copy) return std::optional<Match>();
    return std::optional(Match{*std::move(file), {}, Use::copy});
  }
  const Result<bool> same = file->resume(mark_of(record));
  if (!same.ok()) return same.error();
  if (*same) return std::optional(matched(*std::move(file), record));
  if (file->cut_off()) return std::optional(Match{*std::move(file), {}, Use::wait});
  return std::optional<Match>();
}

Result<std::optional<LogMatcher::Match>> LogMatcher::match_content(const std::string& path,
                                                                   std::size_t max_line_bytes) {
  const Result<std::string> head = logs::read_head(path);
  if (!head.ok()) return head.error();
  if (head->empty()) return std::optional<Match>();
  for (const db::LogRecord& record : known_) {
    if (record.offset == 0 || !logs::may_begin_with(*head, mark_of(record))) continue;
    Result<std::optional<Match>> match = match_record(record, path, max_line_bytes);
    const bool only_perhaps = head->size() < std::min<std::uint64_t>(record.offset, logs::LogMark::window);
    if (!match.ok() && only_perhaps) continue;  // damaged, and nothing says that it is this log
    if (!match.ok() || match->has_value()) return match;
  }
  return std::optional<Match>();
}

bool LogMatcher::stands_in_place_of_another(const std::string& path, const logs::LogFile& file) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    if (record.path != path || record.offset == 0) return false;
    const bool cut = identity_of(record) == Identity(file.device(), file.inode());
    const bool met_elsewhere = std::ranges::any_of(
        files_, [&](const auto& known_file) { return known_file.first == identity_of(record); });
    return cut || !met_elsewhere;
  });
}

Result<LogMatcher::Match> LogMatcher::match(const std::string& path, std::size_t max_line_bytes) {
  for (const auto find :
       {&LogMatcher::match_identity, &LogMatcher::match_content, &LogMatcher::match_unread}) {
    Result<std::optional<Match>> match = (this->*find)(path, max_line_bytes);
    if (!match.ok()) return std::move(match).error();
    if (match->has_value()) return **std::move(match);
  }
  Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
  if (!file.ok()) return std::move(file).error();
  db::LogRecord record;
  record.possible_loss = stands_in_place_of_another(path, *file);
  return matched(*std::move(file), std::move(record));
}

}  // namespace qdedup::iteration
