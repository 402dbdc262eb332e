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

std::vector<std::string> LogMatcher::in_order(const std::vector<std::string>& paths) const {
  std::vector<std::string> ordered = paths;
  std::stable_partition(ordered.begin(), ordered.end(), [&](const std::string& path) {
    const auto identity = identity_at(path);
    return identity && std::ranges::find(known_, *identity, identity_of) != known_.end();
  });
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
    if (!identity || identity_of(record) != *identity) continue;
    Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
    if (!file.ok()) return std::move(file).error();
    const Result<bool> same = file->resume(mark_of(record));
    if (!same.ok()) return same.error();
    if (*same) return std::optional(matched(*std::move(file), record));
    if (file->cut_off()) return std::optional(Match{*std::move(file), {}, Use::wait});
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
    if (!match.ok() || match->has_value()) return match;
  }
  return std::optional<Match>();
}

bool LogMatcher::was_cut(const std::string& path, const logs::LogFile& file) const {
  return std::ranges::any_of(known_, [&](const db::LogRecord& record) {
    return record.path == path && record.device == file.device() && record.inode == file.inode();
  });
}

Result<LogMatcher::Match> LogMatcher::match(const std::string& path, std::size_t max_line_bytes) {
  for (const auto find : {&LogMatcher::match_identity, &LogMatcher::match_content}) {
    Result<std::optional<Match>> match = (this->*find)(path, max_line_bytes);
    if (!match.ok()) return std::move(match).error();
    if (match->has_value()) return **std::move(match);
  }
  Result<logs::LogFile> file = logs::LogFile::open(path, max_line_bytes);
  if (!file.ok()) return std::move(file).error();
  db::LogRecord record;
  record.possible_loss = was_cut(path, *file);
  return matched(*std::move(file), std::move(record));
}

}  // namespace qdedup::iteration
