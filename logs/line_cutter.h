#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "logs/log_mark.h"

namespace qdedup::logs {

// Whole lines of a log, each with its newline.
struct LineBlock {
  std::string lines;
  LogMark begin;                     // the mark where `lines` begins
  std::uint64_t too_long_lines = 0;  // lines over the limit, dropped before `lines`
  std::uint64_t nul_bytes = 0;       // NUL bytes dropped before `lines`: runs of them at the start of a line
  LogMark end;                       // the mark after this block
};

// Cuts bytes into blocks of whole lines. A line over the limit is dropped and counted. Where such a line
// begins with NUL bytes (a log that was truncated under its writer), those are dropped and counted first, and
// the rest of it is a line like any other. Linear; holds one block, or one line of the greatest length.
class LineCutter {
 public:
  // `begin` is where the bytes begin in their log.
  explicit LineCutter(std::size_t max_line_bytes, RunningMark begin = {});

  // Where to put more bytes: as many as a block has room for, and at least one. Call cut() first until it
  // gives nothing.
  std::span<char> room(std::size_t block_bytes);
  void added(std::size_t count);

  // The next block from the bytes at hand; nothing if there is no whole line.
  std::optional<LineBlock> cut();

  // Passes over the lines that wait, as long as they are those of `hashes` (log_mark.h), which are taken
  // off; how many? Before anything was cut or dropped.
  std::size_t skip(std::string_view& hashes);

  // When no more bytes are to come: a block without lines for those dropped since the last one, if there are
  // any.
  std::optional<LineBlock> finish();

  // The same where more may come, and whether any were dropped or not.
  LineBlock pause();

  // Gives memory back until more bytes come; keeps those that wait.
  void release_memory();

  // How many bytes wait for the rest of their line, and where in the log they begin.
  [[nodiscard]] std::string_view waiting() const { return {buffer_.data() + begin_, end_ - begin_}; }
  [[nodiscard]] const RunningMark& position() const { return position_; }

 private:
  enum class Dropping { nothing, nul_run, line };

  [[nodiscard]] std::size_t whole_lines() const;
  bool drop_nul_run();
  bool drop_line();
  void pass_over(std::size_t count);
  LineBlock deliver(std::size_t count);

  std::size_t max_line_bytes_;
  RunningMark position_;  // of the first byte that waits
  LogMark last_line_end_;
  std::string buffer_;
  std::size_t begin_ = 0;  // buffer_[begin_, end_) waits
  std::size_t end_ = 0;
  Dropping dropping_ = Dropping::nothing;
  std::uint64_t nul_run_ = 0;  // dropped from the start of the line that is not complete yet
  std::uint64_t nul_bytes_ = 0;
  std::uint64_t too_long_lines_ = 0;
};

}  // namespace qdedup::logs
