#include "logs/line_cutter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/containers.h"
#include "logs/log_mark.h"

namespace qdedup::logs {

LineCutter::LineCutter(std::size_t max_line_bytes, RunningMark begin, std::size_t least_room)
    : max_line_bytes_(max_line_bytes),
      least_room_(least_room),
      position_(std::move(begin)),
      last_line_end_(position_.mark()) {}

std::span<char> LineCutter::room(std::size_t block_bytes) {
  const bool is_full = end_ == buffer_.size();
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  std::size_t size = is_full ? 2 * buffer_.size() : buffer_.size();
  size = std::clamp(size, least_room_, std::max({least_room_, block_bytes, 2 * end_}));
  size = std::min(size, std::max(block_bytes, max_line_bytes_ + 1));
  const bool is_shorter = size < buffer_.size();
  buffer_.resize(size);
  if (is_shorter) buffer_.shrink_to_fit();
  return std::span(buffer_).subspan(end_);
}

void LineCutter::added(std::size_t count) { end_ += count; }

std::optional<LineBlock> LineCutter::cut() {
  while (true) {
    if (dropping_ == Dropping::nul_run && !drop_nul_run()) return std::nullopt;
    if (dropping_ == Dropping::line && !drop_line()) return std::nullopt;
    if (const std::size_t whole = whole_lines(); whole > 0) return deliver(whole);
    if (waiting().size() <= max_line_bytes_) return std::nullopt;
    dropping_ = waiting().front() == '\0' ? Dropping::nul_run : Dropping::line;
  }
}

std::size_t LineCutter::skip(std::string_view& hashes) {
  const std::string_view bytes = waiting();
  std::size_t lines = 0;
  std::size_t length = 0;
  while (!hashes.empty()) {
    const std::size_t newline = bytes.find('\n', length);
    if (newline == std::string_view::npos) break;
    if (line_hash(bytes.substr(length, newline + 1 - length)) != first_line_hash(hashes)) break;
    hashes.remove_prefix(line_hash_bytes);
    length = newline + 1;
    ++lines;
  }
  pass_over(length);
  last_line_end_ = position_.mark();
  return lines;
}

std::optional<LineBlock> LineCutter::finish() {
  if (too_long_lines_ == 0) return std::nullopt;
  return pause();
}

LineBlock LineCutter::pause() {
  LineBlock block;
  block.begin = last_line_end_;
  block.too_long_lines = std::exchange(too_long_lines_, 0);
  block.nul_bytes = std::exchange(nul_bytes_, 0);
  block.has_gap = std::exchange(has_gap_, false);
  block.end = last_line_end_;
  return block;
}

void LineCutter::go_back() {
  release(buffer_);
  begin_ = end_ = 0;
}

// The number of waiting bytes that are whole lines within the limit. Jumps to the last newline within reach
// of the limit each time, so that it need not look at the others.
std::size_t LineCutter::whole_lines() const {
  const std::string_view bytes = waiting();
  std::size_t whole = 0;
  while (whole < bytes.size()) {
    const std::size_t newline = bytes.substr(whole, max_line_bytes_ + 1).rfind('\n');
    if (newline == std::string_view::npos) break;
    whole += newline + 1;
  }
  return whole;
}

// Both return whether they reached the end of what they drop.
bool LineCutter::drop_nul_run() {
  const std::size_t run = std::min(waiting().find_first_not_of('\0'), waiting().size());
  has_gap_ = has_gap_ || position_.offset() != nul_run_;
  nul_run_ += run;
  pass_over(run);
  if (waiting().empty()) return false;
  dropping_ = Dropping::nothing;
  return true;
}

bool LineCutter::drop_line() {
  const std::size_t newline = waiting().find('\n');
  has_gap_ = has_gap_ || waiting().substr(0, newline).find('\0') != std::string_view::npos;
  if (newline == std::string_view::npos) {
    pass_over(waiting().size());
    return false;
  }
  pass_over(newline + 1);
  dropping_ = Dropping::nothing;
  ++too_long_lines_;
  nul_bytes_ += std::exchange(nul_run_, 0);
  last_line_end_ = position_.mark();
  return true;
}

void LineCutter::pass_over(std::size_t count) {
  position_.advance(waiting().substr(0, count));
  begin_ += count;
}

LineBlock LineCutter::deliver(std::size_t count) {
  LineBlock block;
  block.lines = waiting().substr(0, count);
  block.begin = position_.mark();
  block.too_long_lines = std::exchange(too_long_lines_, 0);
  block.nul_bytes = std::exchange(nul_bytes_, 0) + std::exchange(nul_run_, 0);
  block.has_gap = std::exchange(has_gap_, false);
  pass_over(count);
  last_line_end_ = position_.mark();
  block.end = last_line_end_;
  return block;
}

}  // namespace qdedup::logs
