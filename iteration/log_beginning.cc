#include "iteration/log_beginning.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "logs/byte_source.h"
#include "logs/log_mark.h"

namespace qdedup::iteration {
namespace {

std::size_t line_count(std::string_view hashes) { return hashes.size() / logs::line_hash_bytes; }

std::string_view hash_at(std::string_view hashes, std::size_t line) {
  return hashes.substr(line * logs::line_hash_bytes, logs::line_hash_bytes);
}

// How many lines from `line` on equal the first ones of `known`.
std::size_t equal_lines(std::string_view hashes, std::size_t line, std::string_view known) {
  const std::string_view rest = hashes.substr(line * logs::line_hash_bytes);
  return line_count(
      rest.substr(0, static_cast<std::size_t>(std::ranges::mismatch(rest, known).in1 - rest.begin())));
}

// For a mark near the beginning, the hash of the log's first bytes covers only those before the mark.
logs::LogMark place_of(const db::LogMarkRecord& lines, const db::LogRecord& record) {
  if (lines.begin_offset == 0) return {};
  const bool is_near = lines.begin_offset < logs::LogMark::window;
  return {lines.begin_offset, is_near ? lines.tail_hash : record.head_hash, lines.tail_hash};
}

}  // namespace

logs::LogMark mark_of(const db::LogRecord& record) {
  return {record.offset, record.head_hash, record.tail_hash};
}

logs::FileIdentity identity_of(const db::LogRecord& record) { return {record.device, record.inode}; }

bool may_be_of(const db::LogRecord& record, const logs::FileSignature& file) {
  return identity_of(record) == file.identity && !logs::births_differ(record.born_ns, file.born_ns);
}

Result<bool> resume_if_sound(logs::LogFile& log, const logs::LogMark& mark) {
  Result<bool> same = log.resume(mark);
  if (!same.ok() && same.error().code == ErrorCode::data) return false;
  return same;
}

Result<FileBeginning> FileBeginning::read(std::shared_ptr<const logs::RegularFile> file) {
  QDEDUP_ASSIGN_OR_RETURN(logs::LogHead head, logs::read_head(file));
  return FileBeginning(std::move(file), std::move(head));
}

FileBeginning::FileBeginning(std::shared_ptr<const logs::RegularFile> file, logs::LogHead head)
    : file_(std::move(file)), head_(std::move(head)), ends_{0} {
  const std::string_view bytes = head_.bytes;
  std::size_t newline = bytes.find('\n');
  for (; newline != std::string_view::npos; newline = bytes.find('\n', newline + 1)) {
    ends_.push_back(newline + 1);
  }
  hashes_ = logs::line_hashes(bytes.substr(0, ends_.back()));
}

bool FileBeginning::may_share_lines(const db::LogRecord& record) const {
  if (hashes_.empty() || record.first_line == 0) return logs::may_begin_with(head_.bytes, mark_of(record));
  return logs::first_line_hash(hashes_) == record.first_line;
}

bool FileBeginning::may_be(const db::LogRecord& record) const {
  return may_share_lines(record) && logs::may_begin_with(head_.bytes, mark_of(record));
}

void FileBeginning::unpack_to(std::set<std::uint64_t> offsets) {
  std::erase_if(offsets, [&](std::uint64_t offset) {
    return offset <= head_.bytes.size() || tail_hashes_.contains(offset);
  });
  if (offsets.empty()) return;
  auto hashes = logs::tail_hashes(file_, offsets);
  if (!hashes.ok()) return;
  std::erase_if(offsets, [&](std::uint64_t offset) { return hashes->contains(offset); });
  if (!offsets.empty() && logs::is_whole(*file_)) shorter_than_ = std::min(shorter_than_, *offsets.begin());
  tail_hashes_.merge(*hashes);
}

// Of the bytes before `offset`. Empty if the file is shorter, or would have to be unpacked for this.
std::optional<std::uint64_t> FileBeginning::tail_hash(std::uint64_t offset) const {
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(offset, logs::LogMark::window));
  const std::uint64_t begin = offset - length;
  if (offset <= head_.bytes.size())
    return logs::bytes_hash(std::string_view(head_.bytes).substr(begin, length));
  if (const auto known = tail_hashes_.find(offset); known != tail_hashes_.end()) return known->second;
  if (head_.compression != logs::Compression::none || head_.whole) return std::nullopt;
  std::string tail(length, '\0');
  const Result<std::size_t> count = file_->read_at(begin, tail);
  if (!count.ok() || *count < length) return std::nullopt;
  return logs::bytes_hash(tail);
}

std::optional<bool> FileBeginning::fits(const logs::LogMark& mark) const {
  if (mark.offset == 0) return true;
  if (!logs::may_begin_with(head_.bytes, mark)) return false;
  if (const auto tail = tail_hash(mark.offset)) return *tail == mark.tail_hash;
  return ends_before(mark.offset) ? std::optional(false) : std::nullopt;
}

// Also false if not known.
bool FileBeginning::ends_before(std::uint64_t offset) const {
  if (head_.whole) return offset > head_.bytes.size() && !head_.cut_off;
  if (head_.compression != logs::Compression::none) return offset >= shorter_than_;
  const Result<logs::FileSignature> now = file_->signature();
  return now.ok() && now->size < offset;
}

// Whether the file is as long as what was mined of the log, but differs at the end of that.
bool FileBeginning::ends_otherwise(const db::LogRecord& record) const {
  return tail_hash(record.offset) && fits(mark_of(record)) == false;
}

std::optional<SharedLines> FileBeginning::shared_with(const db::LogRecord& record,
                                                      const std::vector<db::LogMarkRecord>& first,
                                                      bool is_there) const {
  // Beyond the bytes that the mark's first hash is of, and still be the log.
  const bool has_head = head_.bytes.size() >= std::min<std::uint64_t>(record.offset, logs::LogMark::window);
  const bool may_be_edited = first.empty() || (!is_there && has_head);
  if (may_be_edited && fits(mark_of(record)).value_or(true)) return std::nullopt;
  if (first.empty()) return SharedLines{.differs = ends_otherwise(record)};
  const db::LogMarkRecord& known = first.front();
  const std::optional<bool> begins = fits(place_of(known, record));
  if (!begins) return std::nullopt;
  if (!*begins) return SharedLines{.differs = head_.bytes.size() >= known.begin_offset};
  const auto begin = std::ranges::lower_bound(ends_, known.begin_offset);
  if (begin == ends_.end() || *begin != known.begin_offset) return std::nullopt;
  const auto before = static_cast<std::size_t>(begin - ends_.begin());
  const std::size_t equal = equal_lines(hashes_, before, known.line_hashes);
  const bool more = before + equal + 1 < ends_.size();
  const SharedLines shared{.bytes = ends_[before + equal], .exact = true, .differs = more};
  if (equal < line_count(known.line_hashes))
    return more || head_.whole ? std::optional(shared) : std::nullopt;
  const bool may_share_more = equal == kept_lines || shared.bytes == record.offset ||
                              (first.size() > 1 && fits(place_of(first[1], record)).value_or(true));
  if (may_share_more || !more) return std::nullopt;
  return SharedLines{.bytes = shared.bytes, .differs = ends_otherwise(record)};
}

bool FileBeginning::repeats_end(const db::LogRecord& record, std::uint64_t offset) const {
  if (record.offset < logs::LogMark::window || record.offset <= offset) return false;
  return tail_hash(record.offset) == record.tail_hash;
}

bool FileBeginning::repeats_lines(const std::vector<db::LogMarkRecord>& first, std::uint64_t offset) const {
  if (first.empty() || first.front().begin_offset > 0) return false;
  const std::string_view known = first.front().line_hashes;
  const std::size_t end = std::min(ends_.size() - 1, line_count(known));
  std::size_t lines = 0;
  std::size_t equal = 0;
  std::uint64_t bytes = 0;
  for (std::size_t line = 0; line < end; ++line) {
    if (ends_[line] < offset) continue;
    ++lines;
    if (hash_at(hashes_, line) != hash_at(known, line)) continue;
    ++equal;
    bytes += ends_[line + 1] - ends_[line];
  }
  return bytes >= logs::LogMark::window && 2 * equal >= lines;
}

Status KnownBeginnings::keep(const std::vector<const db::LogRecord*>& records) {
  std::vector<std::int64_t> missing;
  for (const db::LogRecord* record : records) {
    if (!first_marks_.contains(record->id)) missing.push_back(record->id);
  }
  if (missing.empty()) return {};
  QDEDUP_ASSIGN_OR_RETURN(auto marks, marks_.first(missing));
  for (auto& [log_id, first] : marks) first_marks_.emplace(log_id, std::move(first));
  return {};
}

Status KnownBeginnings::prepare(FileBeginning& begins, const std::vector<const db::LogRecord*>& records) {
  QDEDUP_TRY(keep(records));
  if (!begins.is_packed_further()) return {};
  std::set<std::uint64_t> offsets;
  for (const db::LogRecord* record : records) {
    if (!begins.may_be(*record)) continue;
    offsets.insert(record->offset);
    for (const db::LogMarkRecord& mark : first_marks(record->id)) offsets.insert(mark.begin_offset);
  }
  begins.unpack_to(std::move(offsets));
  return {};
}

// Determined by the marks of the log, whose offsets ascend: line by line at the beginning and the end of what
// was mined, in steps in between.
Result<SharedBeginning> KnownBeginnings::read_shared(const std::shared_ptr<const logs::RegularFile>& file,
                                                     const db::LogRecord& record,
                                                     std::size_t max_line_bytes) const {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::LogMarkRecord> marks, marks_.all(record.id));
  QDEDUP_ASSIGN_OR_RETURN(logs::LogFile found, logs::LogFile::open(file, max_line_bytes));
  std::size_t fitting = 0;  // the marks before this one fit
  for (std::size_t end = marks.size(); fitting < end;) {
    const std::size_t middle = fitting + (end - fitting) / 2;
    QDEDUP_ASSIGN_OR_RETURN(logs::LogFile log, logs::LogFile::open(file, max_line_bytes));
    QDEDUP_ASSIGN_OR_RETURN(const bool fits, resume_if_sound(log, place_of(marks[middle], record)));
    if (fits) {
      fitting = middle + 1;
      found = std::move(log);
    } else {
      end = middle;
    }
  }
  if (fitting == 0) return SharedBeginning{std::move(found), false, true, false};
  const db::LogMarkRecord& mark = marks[fitting - 1];
  // Fails only where all lines up to the damage are shared, so that there is nothing new.
  QDEDUP_ASSIGN_OR_RETURN(const logs::LogFile::Passed passed, found.pass_over(mark.line_hashes));
  const bool several = mark.begin_offset > 0 || passed.lines > 1;
  const bool differs = passed.lines * logs::line_hash_bytes < mark.line_hashes.size();
  const bool exact = !passed.more || differs || found.offset() == record.offset;
  return SharedBeginning{std::move(found), several, passed.more, exact};
}

}  // namespace qdedup::iteration
