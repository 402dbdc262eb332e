#include "logs/log_file.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/byte_source.h"

namespace qdedup::logs {
namespace {

constexpr std::size_t chunk_bytes = 1U << 18U;
constexpr std::uint64_t max_dropped_bytes = 1U << 20U;  // before a block is due
constexpr std::uint64_t searched_again_bytes = 1U << 25U;

// `count` bytes of the file from `offset` on; fewer if it ends.
Result<std::string> read_bytes(const RegularFile& file, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  QDEDUP_ASSIGN_OR_RETURN(const auto filled, file.read_at(offset, bytes));
  bytes.resize(filled);
  return bytes;
}

std::size_t window_before(std::uint64_t offset) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(offset, LogMark::window));
}

Result<bool> are_equal(const RegularFile& one, const RegularFile& other, std::uint64_t begin,
                       std::size_t count) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string bytes, read_bytes(one, begin, count));
  QDEDUP_ASSIGN_OR_RETURN(const std::string others, read_bytes(other, begin, count));
  return bytes == others;
}

Result<std::optional<bool>> compare_plain(const RegularFile& copy, const RegularFile& original,
                                          Comparisons& so_far, std::uint64_t& bytes) {
  QDEDUP_ASSIGN_OR_RETURN(const auto now, copy.signature());
  if (now != so_far.of && now.size <= so_far.of.size) so_far.equal.clear();
  so_far.of = now;
  std::uint64_t& equal = so_far.equal[original.identity()];
  const std::size_t window = window_before(equal);
  QDEDUP_ASSIGN_OR_RETURN(const bool same_head, are_equal(copy, original, 0, window));
  QDEDUP_ASSIGN_OR_RETURN(const bool same_tail, are_equal(copy, original, equal - window, window));
  if (!same_head || !same_tail) equal = 0;
  std::vector<char> copy_chunk(chunk_bytes);
  std::vector<char> original_chunk(chunk_bytes);
  do {
    bytes -= std::min<std::uint64_t>(bytes, chunk_bytes);
    QDEDUP_ASSIGN_OR_RETURN(const auto count, copy.read_at(equal, copy_chunk));
    const auto wanted = std::span(original_chunk).first(count);
    QDEDUP_ASSIGN_OR_RETURN(const auto original_count, original.read_at(equal, wanted));
    if (std::string_view(copy_chunk.data(), count) != std::string_view(wanted.data(), original_count))
      return std::optional(false);
    if (count < chunk_bytes) return std::optional(true);
    equal += count;
  } while (bytes > 0);
  return std::optional<bool>();
}

}  // namespace

LogFile::LogFile(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes)
    : file_(std::move(file)), max_line_bytes_(max_line_bytes), cutter_(max_line_bytes) {}

Result<LogFile> LogFile::open(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes) {
  LogFile log(std::move(file), max_line_bytes);
  QDEDUP_TRY(log.start_at_beginning());
  return log;
}

Status LogFile::start_at_beginning() {
  QDEDUP_ASSIGN_OR_RETURN(auto begun, file_->signature());
  QDEDUP_ASSIGN_OR_RETURN(auto unpacked, unpack_verified(file_));
  begun_ = begun;
  compression_ = unpacked.compression;
  source_ = std::move(unpacked.source);
  if (compression_ == Compression::none) move_to(0);
  cutter_ = LineCutter(max_line_bytes_);
  return {};
}

Result<bool> LogFile::resume(const LogMark& mark) {
  if (mark.offset == 0) return true;
  auto place = compression_ == Compression::none ? look_at(mark) : unpack_to(mark);
  if (!place.ok()) {
    failure_ = place.error();
    return std::move(place).error();
  }
  if (!place->has_value() || (*place)->mark() != mark) {
    QDEDUP_TRY(start_at_beginning());
    return false;
  }
  if (compression_ == Compression::none) source_ = std::make_unique<FileSource>(file_, mark.offset);
  cutter_ = LineCutter(max_line_bytes_, *std::move(*place));
  return true;
}

// The position of `mark` in a plain log, if the log is that long.
Result<std::optional<RunningMark>> LogFile::look_at(const LogMark& mark) const {
  const std::size_t window = window_before(mark.offset);
  QDEDUP_ASSIGN_OR_RETURN(auto head, read_bytes(*file_, 0, window));
  QDEDUP_ASSIGN_OR_RETURN(auto tail, read_bytes(*file_, mark.offset - window, window));
  if (tail.size() < window) return std::optional<RunningMark>();
  return std::optional(RunningMark(mark.offset, std::move(head), std::move(tail)));
}

// The same in a compressed one. Gives up after the first bytes if the log begins differently.
Result<std::optional<RunningMark>> LogFile::unpack_to(const LogMark& mark) {
  RunningMark place;
  std::vector<char> buffer(chunk_bytes);
  std::size_t wanted = window_before(mark.offset);
  while (wanted > 0) {
    QDEDUP_ASSIGN_OR_RETURN(const auto count, read_full(*source_, std::span(buffer).first(wanted)));
    place.advance({buffer.data(), count});
    if (count < wanted) {
      cut_off_ = source_->cut_off();
      return std::optional<RunningMark>();
    }
    if (place.head_hash() != mark.head_hash) break;
    wanted = static_cast<std::size_t>(std::min<std::uint64_t>(mark.offset - place.offset(), buffer.size()));
  }
  return std::optional(std::move(place));
}

Result<LogFile::Passed> LogFile::pass_over(std::string_view hashes) {
  Passed passed;
  do {
    passed.lines += cutter_.skip(hashes);
    const std::string_view waiting = cutter_.waiting();
    passed.more = waiting.find('\n') != std::string_view::npos || waiting.size() > max_line_bytes_;
  } while (!passed.more && fill(chunk_bytes));
  if (!passed.more && failure_) return *failure_;
  return passed;
}

Result<std::optional<LineBlock>> LogFile::next_block(std::size_t block_bytes) {
  const std::uint64_t begin = offset();
  const bool compression_unknown = begin == 0 && cutter_.waiting().size() < magic_bytes;
  if (compression_ == Compression::none && compression_unknown) QDEDUP_TRY(start_at_beginning());
  while (true) {
    if (auto block = cutter_.cut()) return block;
    if (offset() - begin >= max_dropped_bytes) return std::optional(cutter_.pause());
    if (fill(block_bytes)) continue;
    if (auto rest = cutter_.finish()) return rest;
    if (failure_) return *failure_;
    return std::optional<LineBlock>();
  }
}

// Reads until a block is full, or the log ends or fails. Returns whether anything was read.
bool LogFile::fill(std::size_t block_bytes) {
  bool came = false;
  at_end_ = false;
  reserved_ = 0;
  auto room = cutter_.room(block_bytes);
  while (!failure_ && !room.empty()) {
    auto count = source_->read(room);
    if (!count.ok()) {
      failure_ = std::move(count).error();
      break;
    }
    auto wanted = compression_ == Compression::none ? without_reserved(room.first(*count)) : count;
    if (!wanted.ok()) {
      failure_ = std::move(wanted).error();
      break;
    }
    if (*count == 0 || reserved_ > 0) {
      cut_off_ = source_->cut_off();
      at_end_ = true;
      break;
    }
    cutter_.added(*wanted);
    room = room.subspan(*wanted);
    came = came || *wanted > 0;
  }
  return came;
}

// How many of the bytes just read precede NUL bytes that may go on to the end of the file. The next read
// begins after these. If there are none, finds out what follows.
Result<std::size_t> LogFile::without_reserved(std::span<const char> bytes) {
  const std::uint64_t end = offset() + cutter_.waiting().size() + bytes.size();
  const std::uint64_t begin = end - bytes.size();
  const std::size_t known = static_cast<std::size_t>(
      std::min(std::max(written_until_, begin) - begin, std::uint64_t{bytes.size()}));
  const std::string_view all(bytes.data(), bytes.size());
  const std::size_t size = std::max(known, all.find_last_not_of('\0') + 1);
  if (size < bytes.size()) move_to(begin + size);
  if (size > 0 || bytes.empty()) return size;
  QDEDUP_ASSIGN_OR_RETURN(const auto now, file_->signature());
  if (reserved_end_ > now.size) reserved_end_ = 0;
  std::uint64_t at = std::max(end, reserved_end_);
  QDEDUP_ASSIGN_OR_RETURN(auto next, next_written(at, now.size, now.size));
  if (!next) {  // nor is there in what was added since, but perhaps in what was reserved then
    at = std::max(end, searched_again_);
    QDEDUP_ASSIGN_OR_RETURN(next, next_written(at, reserved_end_, searched_again_bytes));
    searched_again_ = at < reserved_end_ ? at : 0;
    reserved_end_ = now.size;
  }
  if (next) {
    written_until_ = *next + 1;
  } else {
    reserved_ = std::max(now.size, end) - begin;
  }
  return size;
}

// The first byte other than NUL from `offset` up to about `until`. Reads some `bytes` at most; then `offset`
// is where to go on.
Result<std::optional<std::uint64_t>> LogFile::next_written(std::uint64_t& offset, std::uint64_t until,
                                                           std::uint64_t bytes) {
  std::vector<char> chunk(chunk_bytes);
  while (offset < until && bytes > 0) {
    offset = std::min(file_->data_from(offset).value_or(until), until);
    if (offset == until) break;
    QDEDUP_ASSIGN_OR_RETURN(const auto count, file_->read_at(offset, chunk));
    const std::size_t at = std::string_view(chunk.data(), count).find_first_not_of('\0');
    if (at != std::string_view::npos) return std::optional(offset + at);
    if (count < chunk.size()) offset = until;
    offset += count;
    bytes -= std::min<std::uint64_t>(bytes, count);
  }
  return std::optional<std::uint64_t>();
}

void LogFile::move_to(std::uint64_t offset) { source_ = std::make_unique<FileSource>(file_, offset); }

std::uint64_t LogFile::bytes_read() const {
  if (compression_ != Compression::none) return source_->bytes_read();
  return std::max(read_before_, offset() + cutter_.waiting().size());
}

void LogFile::go_back() {
  read_before_ = bytes_read();
  cutter_.go_back();
  move_to(offset());
}

Result<bool> LogFile::intact() const {
  if (compression_ != Compression::none) {
    QDEDUP_ASSIGN_OR_RETURN(const auto now, file_->signature());
    if (now == begun_) return true;
    return Error{ErrorCode::busy, path() + ": changed while it was being read"};
  }
  const RunningMark& position = cutter_.position();
  QDEDUP_ASSIGN_OR_RETURN(const auto place, look_at(position.mark()));
  if (!place.has_value() || place->mark() != position.mark()) return false;
  const std::string_view waiting = cutter_.waiting();
  const std::string_view last = waiting.substr(waiting.size() - std::min(waiting.size(), LogMark::window));
  QDEDUP_ASSIGN_OR_RETURN(const auto there,
                          read_bytes(*file_, position.offset() + waiting.size() - last.size(), last.size()));
  return there == last;
}

std::optional<FileSignature> LogFile::complete() const {
  if (compression_ == Compression::none || !at_end_ || cut_off_ || failure_) return std::nullopt;
  const auto now = file_->signature();
  return now.ok() && *now == begun_ ? std::optional(*now) : std::nullopt;
}

Result<std::optional<bool>> is_copy_of_beginning(const std::shared_ptr<const RegularFile>& copy_file,
                                                 const std::shared_ptr<const RegularFile>& original,
                                                 Comparisons& so_far, std::uint64_t& bytes) {
  QDEDUP_ASSIGN_OR_RETURN(auto copy, unpack_verified(copy_file));
  QDEDUP_ASSIGN_OR_RETURN(auto whole, unpack(original));
  if (copy.compression == Compression::none && whole.compression == Compression::none)
    return compare_plain(*copy_file, *original, so_far, bytes);
  std::vector<char> copy_chunk(chunk_bytes);
  std::vector<char> whole_chunk(chunk_bytes);
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const auto count, copy.source->read(copy_chunk));
    QDEDUP_ASSIGN_OR_RETURN(const auto whole_count,
                            read_full(*whole.source, std::span(whole_chunk).first(count)));
    if (std::string_view(copy_chunk.data(), count) != std::string_view(whole_chunk.data(), whole_count))
      return std::optional(false);
    if (count == 0) return std::optional(true);
  }
}

bool LogHead::is_undecided() const {
  if (compression != Compression::none) return bytes.empty();
  return logs::is_undecided(bytes) || (whole && bytes.find('\n') == std::string::npos);
}

Result<LogHead> read_head(const std::shared_ptr<const RegularFile>& file) {
  QDEDUP_ASSIGN_OR_RETURN(Unpacked unpacked, unpack_verified(file));
  LogHead head;
  head.bytes.resize(LogHead::most_bytes);
  head.compression = unpacked.compression;
  std::size_t length = 0;
  while (length < head.bytes.size()) {
    const Result<std::size_t> read = unpacked.source->read(std::span(head.bytes).subspan(length));
    if (!read.ok() && length == 0) return read.error();
    if (!read.ok()) break;
    if (*read == 0) {
      head.whole = true;
      head.cut_off = unpacked.source->cut_off();
      break;
    }
    length += *read;
  }
  head.bytes.resize(length);
  const auto problem = head.compression == Compression::none ? std::nullopt : second_packing(head.bytes);
  if (problem) return Error{ErrorCode::data, file->path() + ": " + *problem};
  return head;
}

Result<std::map<std::uint64_t, std::uint64_t>> tail_hashes(const std::shared_ptr<const RegularFile>& file,
                                                           const std::set<std::uint64_t>& offsets) {
  QDEDUP_ASSIGN_OR_RETURN(Unpacked unpacked, unpack_verified(file));
  std::map<std::uint64_t, std::uint64_t> hashes;
  std::vector<char> buffer(chunk_bytes);
  RunningMark place;
  for (auto next = offsets.begin(); next != offsets.end();) {
    QDEDUP_ASSIGN_OR_RETURN(const auto count, unpacked.source->read(buffer));
    if (count == 0) break;
    std::string_view chunk(buffer.data(), count);
    for (; next != offsets.end() && *next - place.offset() <= chunk.size(); ++next) {
      const auto length = static_cast<std::size_t>(*next - place.offset());
      place.advance(chunk.substr(0, length));
      chunk.remove_prefix(length);
      hashes[*next] = place.mark().tail_hash;
    }
    place.advance(chunk);
  }
  return hashes;
}

bool may_begin_with(std::string_view head, const LogMark& mark) {
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(mark.offset, LogMark::window));
  return head.size() < length || bytes_hash(head.substr(0, length)) == mark.head_hash;
}

}  // namespace qdedup::logs
