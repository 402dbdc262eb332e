#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/files.h"
#include "logs/line_cutter.h"
#include "logs/log_mark.h"

namespace qdedup::logs {

// An open log, read in blocks of whole lines (see LineBlock in line_cutter.h and LogMark in log_mark.h). A
// last line without newline is not delivered. Of a compressed log, only members with valid checksums are read
// (unpack_verified).
class LogFile {
 public:
  // `max_line_bytes` bounds a line without its newline. Errors begin with the path.
  static Result<LogFile> open(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes);

  // Whether the content before `mark.offset` matches the mark. If so, reading continues from there. If not
  // (or if the log is shorter), it starts at the beginning, and another mark may be tried. Only before the
  // first next_block. Takes two small reads for plain files; compressed ones are unpacked up to the offset. A
  // mark with offset 0 matches every log. `false` with cut_off() means that the log may still grow up to the
  // mark: wait rather than read it as a new one.
  Result<bool> resume(const LogMark& mark);

  struct Passed {
    std::uint64_t lines = 0;
    bool more = false;  // another complete line follows
  };

  // Skips lines as long as they match `hashes` (log_mark.h). Only before the first next_block. An error means
  // that the log is damaged right after them.
  Result<Passed> pass_over(std::string_view hashes);

  // The next block, of about `block_bytes` or of one longer line; none at the end, where a later call returns
  // what has been added since. While very many bytes are being dropped, a block without lines comes now and
  // then. An error comes after the blocks before it. Memory besides the block: the greater of block_bytes and
  // max_line_bytes.
  Result<std::optional<LineBlock>> next_block(std::size_t block_bytes);

  [[nodiscard]] const std::string& path() const { return file_->path(); }
  [[nodiscard]] const FileSignature& signature_when_opened() const { return file_->signature_when_opened(); }
  [[nodiscard]] Compression compression() const { return compression_; }

  // Bytes of the file itself read so far, each counted once.
  [[nodiscard]] std::uint64_t bytes_read() const;

  // See ByteSource; at the last end that was reached.
  [[nodiscard]] bool cut_off() const { return cut_off_; }

  // For a plain log: whether the file still contains what was read of it, judging by its size, its first
  // bytes and those before the current position. False if it was cut in place. If a compressed one changed
  // meanwhile, ErrorCode::busy, because what was verified may no longer be there.
  [[nodiscard]] Result<bool> intact() const;

  // For a compressed log that is whole and was read to its end: the file's signature, which did not change
  // meanwhile.
  [[nodiscard]] std::optional<FileSignature> complete() const;

  // The file as it was when reading began.
  [[nodiscard]] const FileSignature& begun() const { return begun_; }

  // The mark of the current position, at the beginning of a line. Only before the first next_block.
  [[nodiscard]] LogMark mark() const { return cutter_.position().mark(); }

  // How much of the unpacked log was read, perhaps including part of an incomplete line.
  [[nodiscard]] std::uint64_t offset() const { return cutter_.position().offset(); }

  [[nodiscard]] const std::shared_ptr<const RegularFile>& file() const { return file_; }

  // At the end of a plain log: frees memory, and lets reading continue at the beginning of the incomplete
  // line, because what is not a line yet may be changed in place.
  void go_back();

  // At the end of a plain log: how many NUL bytes follow, up to the end of the file. They are space reserved
  // for lines to come, and are not read until something else stands before or after them.
  [[nodiscard]] std::uint64_t reserved_bytes() const { return reserved_; }

 private:
  LogFile(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes);

  Status start_at_beginning();
  [[nodiscard]] Result<std::optional<RunningMark>> look_at(const LogMark& mark) const;
  Result<std::optional<RunningMark>> unpack_to(const LogMark& mark);
  bool fill(std::size_t block_bytes);
  void move_to(std::uint64_t offset);
  Result<std::size_t> without_reserved(std::span<const char> bytes);
  Result<std::optional<std::uint64_t>> next_written(std::uint64_t& offset, std::uint64_t until,
                                                    std::uint64_t bytes);

  std::shared_ptr<const RegularFile> file_;
  std::size_t max_line_bytes_;
  LineCutter cutter_;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t read_before_ = 0;     // before the last go_back()
  std::uint64_t reserved_ = 0;        // NUL bytes up to the end
  std::uint64_t reserved_end_ = 0;    // they were looked through up to here
  std::uint64_t searched_again_ = 0;  // and since then once more up to here, as they may have been written to
  std::uint64_t written_until_ = 0;   // NUL bytes before this are followed by others
  Compression compression_ = Compression::none;
  FileSignature begun_;  // when reading began
  bool at_end_ = false;
  bool cut_off_ = false;
  std::optional<Error> failure_;
};

// How far a plain file was compared with others.
struct Comparisons {
  FileSignature of;                             // the file at the time
  std::map<FileIdentity, std::uint64_t> equal;  // first bytes that both have
};

// Whether the whole (unpacked) log in `copy_file` is the beginning of the one in `original`. Reads both. If a
// file is cut off, the bytes available count. Two plain files are compared for about `bytes`, from which what
// was read is subtracted. None if that is not enough: the next call goes on from there, unless the copy has
// changed other than by growing, or one of them is not the same any more at its beginning or before that
// point.
Result<std::optional<bool>> is_copy_of_beginning(const std::shared_ptr<const RegularFile>& copy_file,
                                                 const std::shared_ptr<const RegularFile>& original,
                                                 Comparisons& so_far, std::uint64_t& bytes);

// The beginning of a log.
struct LogHead {
  static constexpr std::size_t most_bytes = std::size_t{1} << 16U;

  std::string bytes;  // the first most_bytes verified bytes, or all if there are fewer
  Compression compression = Compression::none;
  bool whole = false;    // nothing follows
  bool cut_off = false;  // a compressed file ends too early

  // Whether the file contains too little to tell what it will be.
  [[nodiscard]] bool is_undecided() const;
};

// Errors begin with the path.
Result<LogHead> read_head(const std::shared_ptr<const RegularFile>& file);

// For each of these offsets in the unpacked file, the hash of the last LogMark::window bytes before it;
// without offsets beyond its end. Reads the file once. Errors begin with the path.
Result<std::map<std::uint64_t, std::uint64_t>> tail_hashes(const std::shared_ptr<const RegularFile>& file,
                                                           const std::set<std::uint64_t>& offsets);

// Whether the log that begins with `head` (LogHead::bytes) may begin with the same bytes as the one that
// `mark` was made from. Cheap. Also true if the head is shorter than what the mark's head hash covers.
[[nodiscard]] bool may_begin_with(std::string_view head, const LogMark& mark);

}  // namespace qdedup::logs
