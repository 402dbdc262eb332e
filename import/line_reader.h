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

// Reads a source line by line. A byte-order mark at its start is skipped, a last line without newline is a
// line. Memory is bounded by the longest line allowed.
class LineReader {
 public:
  static constexpr std::size_t default_max_bytes = 16U << 20U;

  // `name` begins the error about a source that is cut off; `size` is only handed on.
  LineReader(std::unique_ptr<logs::ByteSource> source, std::uint64_t size, std::string name,
             std::size_t max_bytes = default_max_bytes);

  // Goes to the next line. `false` at the end.
  Result<bool> next();

  // The line, without its newline; valid until the next call of another function. Empty if it is too long.
  [[nodiscard]] std::string_view text() const { return waiting().substr(0, text_.text_bytes); }
  [[nodiscard]] std::uint64_t number() const { return number_; }  // of the (first) line, counted from 1
  [[nodiscard]] bool too_long() const { return too_long_; }

  enum class Extension { done, at_end, too_long };

  // Adds the line that follows to the text, with the newline in between, unless there is none or the text
  // would become too long.
  Result<Extension> extend();

  // Takes back all that extend() added: next() goes there.
  void take_back();

  // Lets next() give the same line once more.
  void repeat() { repeat_ = true; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return source_->bytes_read(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  struct Extent {
    std::size_t text_bytes = 0;  // up to the newline
    std::size_t all_bytes = 0;   // and with it
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
  std::size_t begin_ = 0;  // buffer_[begin_, end_) begins with the line
  std::size_t end_ = 0;
  std::uint64_t number_ = 1;
  std::uint64_t lines_ = 0;  // that the text consists of; 0 before the first next()
  Extent first_line_;
  Extent text_;
  bool mark_passed_ = false;
  bool too_long_ = false;
  bool repeat_ = false;
};

// A file that is open, unpacked. `size` is that of the file itself, 0 where it is not known.
struct Input {
  std::unique_ptr<logs::ByteSource> source;
  std::uint64_t size = 0;
  std::string name;
};

// A regular file, or standard input ("-"); gzip and zstd are unpacked. Errors begin with the path.
Result<Input> open_input(const std::string& path, const logs::Files& files);

// The lines of the same, which must be UTF-8 (see as_utf8).
Result<LineReader> open_lines(const std::string& path, const logs::Files& files);

// The first line that is not blank, if there is one. The reader returns it again.
Result<std::optional<std::string_view>> first_line(LineReader& lines);

// Without the spaces, tabs and carriage returns at either end.
[[nodiscard]] std::string_view without_blanks(std::string_view line);

}  // namespace qdedup::import
