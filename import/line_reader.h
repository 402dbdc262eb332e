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

namespace qdedup::import {

// Reads a source line by line. A byte-order mark at its start is skipped; the last line may lack a newline.
// Memory is bounded by the longest line allowed.
class LineReader {
 public:
  static constexpr std::size_t default_max_bytes = 16U << 20U;

  // `name` begins the error about a source that is cut off; `size` is only passed through.
  LineReader(std::unique_ptr<logs::ByteSource> source, std::uint64_t size, std::string name,
             std::size_t max_bytes = default_max_bytes);

  // Moves to the next line; false at the end.
  Result<bool> next();

  // The line, without its newline; valid until another function is called. Empty if it is too long.
  [[nodiscard]] std::string_view text() const { return waiting().substr(0, text_.text_bytes); }
  [[nodiscard]] std::uint64_t number() const { return number_; }  // of the (first) line, from 1
  [[nodiscard]] bool too_long() const { return too_long_; }

  enum class Extension { done, at_end, too_long };

  // Appends the next line to the text, after a newline, unless there is none or the text would become too
  // long.
  Result<Extension> extend();

  // Undoes all calls of extend(): next() returns these lines.
  void take_back();

  // Makes next() return the same line again.
  void repeat() { repeat_ = true; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return source_->bytes_read(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  struct Extent {
    std::size_t text_bytes = 0;  // up to the newline
    std::size_t all_bytes = 0;   // including it
  };

  [[nodiscard]] std::string_view waiting() const { return {buffer_.data() + begin_, end_ - begin_}; }
  Status pass_over_mark();
  Result<Extent> find_end(std::size_t from);
  Status drop_line();
  Result<bool> refill();

  std::unique_ptr<logs::ByteSource> source_;
  std::uint64_t size_;
  std::string name_;
  std::size_t max_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  // the line is at the front of buffer_[begin_, end_)
  std::size_t end_ = 0;
  std::uint64_t number_ = 1;
  std::uint64_t lines_ = 0;  // in the text; 0 before the first next()
  Extent first_line_;
  Extent text_;
  bool mark_passed_ = false;
  bool too_long_ = false;
  bool repeat_ = false;
};

// An open file, unpacked. `size` is that of the file itself, or 0 if not known.
struct Input {
  std::unique_ptr<logs::ByteSource> source;
  std::uint64_t size = 0;
  std::string name;
  logs::Compression compression = logs::Compression::none;
};

// Opens a regular file, or standard input ("-"); unpacks gzip and zstd. Only members whose checksums hold are
// read, as a damaged one may give other ids and texts; the file is unpacked twice for that, and packed
// standard input is read to its end into one first. Errors begin with the path.
Result<Input> open_input(const std::string& path, const logs::Files& files);

// Its lines, which must be UTF-8 (see as_utf8).
Result<LineReader> open_lines(const std::string& path, const logs::Files& files,
                              std::size_t max_bytes = LineReader::default_max_bytes);

// The first line that is not blank, if there is one. The reader returns it again.
Result<std::optional<std::string_view>> first_line(LineReader& lines);

// Without the spaces, tabs and carriage returns at either end.
[[nodiscard]] std::string_view without_blanks(std::string_view line);

}  // namespace qdedup::import
