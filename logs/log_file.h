#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/files.h"
#include "logs/line_cutter.h"
#include "logs/log_mark.h"

namespace qdedup::logs {

// An open log, read in blocks of whole lines (see LineBlock in line_cutter.h and LogMark in log_mark.h). A
// last line without newline is not delivered. Of a compressed log only what stands in members whose checksums
// hold is read at all (unpack_verified).
class LogFile {
 public:
  // `max_line_bytes` bounds a line without its newline. Errors begin with the path.
  static Result<LogFile> open(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes);

  // Is what stands before `mark.offset` what the mark says? If so, reading goes on from there; if not (or if
  // the log is shorter), it starts at the beginning, and another mark may be tried. Before the first
  // next_block only. Plain files: two small reads; compressed ones are unpacked up to the offset. A mark with
  // offset 0 fits every log. `false` with cut_off() says that the log may still grow up to the mark: wait
  // rather than read it as a new one.
  Result<bool> resume(const LogMark& mark);

  struct Passed {
    std::uint64_t lines = 0;
    bool more = false;  // another line follows, and it is complete
  };

  // Passes over lines as long as they are those of `hashes` (log_mark.h). Before the first next_block
  // only. An error: the log is damaged right after them.
  Result<Passed> pass_over(std::string_view hashes);

  // The next block, of about `block_bytes` or of one longer line; nothing at the end of what is there now,
  // and what has been added since when called again. Where a great many bytes are dropped, a block without
  // lines comes now and then. An error comes after the blocks before it. Memory besides the block: the
  // greater of block_bytes and max_line_bytes.
  Result<std::optional<LineBlock>> next_block(std::size_t block_bytes);

  [[nodiscard]] const std::string& path() const { return file_->path(); }
  [[nodiscard]] const FileSignature& signature_when_opened() const { return file_->signature_when_opened(); }
  [[nodiscard]] Compression compression() const { return compression_; }

  // How much of the file itself was read.
  [[nodiscard]] std::uint64_t bytes_read() const { return source_->bytes_read(); }

  // See ByteSource; as of the last end that was met.
  [[nodiscard]] bool cut_off() const { return cut_off_; }

  // Of a plain log: does the file still hold what was read of it, as far as its size, its first bytes and
  // those before the place of reading tell? A file that was cut in place does not. A compressed one that
  // changed meanwhile is ErrorCode::busy: what was verified may be something else by now.
  [[nodiscard]] Result<bool> intact() const;

  // Of a compressed log that is whole and was read to its end: the file's signature, which did not change
  // meanwhile.
  [[nodiscard]] std::optional<FileSignature> complete() const;

  // As the file was when reading began.
  [[nodiscard]] const FileSignature& begun() const { return begun_; }

  // Where in the log it stands, at the beginning of a line: before the first next_block only.
  [[nodiscard]] LogMark mark() const { return cutter_.position().mark(); }

  // How much of the unpacked log was looked at; lines that are not complete yet may be among it.
  [[nodiscard]] std::uint64_t offset() const { return cutter_.position().offset(); }

  [[nodiscard]] const std::shared_ptr<const RegularFile>& file() const { return file_; }

  // Gives memory back until the log is read on; only the beginning of a line is kept.
  void release_memory() { cutter_.release_memory(); }

 private:
  LogFile(std::shared_ptr<const RegularFile> file, std::size_t max_line_bytes);

  Status start_at_beginning();
  [[nodiscard]] Result<std::optional<RunningMark>> look_at(const LogMark& mark) const;
  Result<std::optional<RunningMark>> unpack_to(const LogMark& mark);
  bool fill(std::size_t block_bytes);

  std::shared_ptr<const RegularFile> file_;
  std::size_t max_line_bytes_;
  LineCutter cutter_;
  std::unique_ptr<ByteSource> source_;
  Compression compression_ = Compression::none;
  FileSignature begun_;  // when reading began
  bool at_end_ = false;
  bool cut_off_ = false;
  std::optional<Error> failure_;
};

// Are the (unpacked) bytes of the log in `copy_file` the first bytes of the one in `original`, all of them?
// Reads both. Of a file that is cut off, the bytes that are there count.
Result<bool> is_copy_of_beginning(const std::shared_ptr<const RegularFile>& copy_file,
                                  const std::shared_ptr<const RegularFile>& original);

// How a log begins.
struct LogHead {
  std::string bytes;  // the first LogMark::window that are verified, or all if there are fewer
  Compression compression = Compression::none;
  bool cut_off = false;  // a compressed file ends too early

  // Does the file hold too little to tell what it will be?
  [[nodiscard]] bool is_undecided() const;
};

// Errors begin with the path.
Result<LogHead> read_head(const std::shared_ptr<const RegularFile>& file);

// Can the log that begins with `head` (LogHead::bytes), and the one that `mark` was made of, begin with the
// same bytes? Cheap. True also where the head is shorter than what the mark's head hash covers.
[[nodiscard]] bool may_begin_with(std::string_view head, const LogMark& mark);

}  // namespace qdedup::logs
