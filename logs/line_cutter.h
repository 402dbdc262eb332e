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
  LogMark begin;                     // the mark at the beginning of `lines`
  std::uint64_t too_long_lines = 0;  // lines over the limit, dropped before `lines`
  std::uint64_t nul_bytes = 0;       // NUL bytes dropped before `lines`: runs of them at the start of a line
  bool has_gap = false;              // NUL bytes in what was dropped, other than at the beginning of the log
  LogMark end;                       // the mark after this block
};

// Cuts bytes into blocks of whole lines. A line over the limit is dropped and counted. If such a line begins
// with NUL bytes (in a log that was truncated under its writer), these are dropped and counted first, and the
// rest is treated as a line. Linear; holds one block, or one longer line, and little where there is little.
class LineCutter {
 public:
  static constexpr std::size_t default_least_room = std::size_t{1} << 16U;

  // `begin` is where in their log the bytes begin; `least_room` how much memory there is at least.
  explicit LineCutter(std::size_t max_line_bytes, RunningMark begin = {},
                      std::size_t least_room = default_least_room);

  // Where to put more bytes: at least one, and more each time that all of it was filled, up to a block or
  // what the waiting line takes. Call cut() until it returns none first.
  std::span<char> room(std::size_t block_bytes);
  void added(std::size_t count);

  // The next block of the bytes available; none if there is no whole line.
  std::optional<LineBlock> cut();

  // Skips waiting lines as long as they match `hashes` (log_mark.h), from which it removes theirs; returns
  // how many. Only before anything was cut or dropped.
  std::size_t skip(std::string_view& hashes);

  // When no more bytes will come: a block without lines for those dropped since the last one, if any.
  std::optional<LineBlock> finish();

  // The same if more may come, and even if nothing was dropped.
  LineBlock pause();

  // Forgets the waiting bytes, and frees memory: the next ones to add are those from position() on.
  void go_back();

  // The bytes waiting for the rest of their line, and where in the log they begin.
  [[nodiscard]] std::string_view waiting() const { return {buffer_.data() + begin_, end_ - begin_}; }
  [[nodiscard]] const RunningMark& position() const { return position_; }

  // Of the memory held; it is freed by room().
  [[nodiscard]] std::size_t capacity() const { return buffer_.capacity(); }

 private:
  enum class Dropping { nothing, nul_run, line };

  [[nodiscard]] std::size_t whole_lines() const;
  bool drop_nul_run();
  bool drop_line();
  void pass_over(std::size_t count);
  LineBlock deliver(std::size_t count);

  std::size_t max_line_bytes_;
  std::size_t least_room_;
  RunningMark position_;  // of the first waiting byte
  LogMark last_line_end_;
  std::string buffer_;
  std::size_t begin_ = 0;  // buffer_[begin_, end_) is waiting
  std::size_t end_ = 0;
  Dropping dropping_ = Dropping::nothing;
  std::uint64_t nul_run_ = 0;  // dropped from the start of the incomplete line
  std::uint64_t nul_bytes_ = 0;
  std::uint64_t too_long_lines_ = 0;
  bool has_gap_ = false;
};

}  // namespace qdedup::logs
