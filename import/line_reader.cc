#include "import/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace qdedup::import {
namespace {

constexpr std::size_t chunk_bytes = 1U << 18U;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

LineReader::LineReader(std::unique_ptr<logs::ByteSource> source, std::uint64_t size, std::string name,
                       std::size_t max_bytes)
    : source_(std::move(source)), size_(size), name_(std::move(name)), max_bytes_(max_bytes) {}

Result<bool> LineReader::next() {
  if (std::exchange(repeat_, false)) return true;
  if (!mark_passed_) QDEDUP_TRY(pass_over_mark());
  begin_ += std::exchange(text_, {}).all_bytes;
  number_ += std::exchange(lines_, 0);
  const auto line = find_end(0);
  if (!line.ok()) return line.error();
  if (line->all_bytes == 0) return false;
  lines_ = 1;
  too_long_ = line->text_bytes > max_bytes_;
  if (too_long_) {
    QDEDUP_TRY(drop_line());
  } else {
    text_ = *line;
  }
  first_line_ = text_;
  return true;
}

Result<LineReader::Extension> LineReader::extend() {
  const auto longer = find_end(text_.all_bytes);
  if (!longer.ok()) return longer.error();
  if (longer->all_bytes == text_.all_bytes) return Extension::at_end;
  if (longer->text_bytes > max_bytes_) return Extension::too_long;
  text_ = *longer;
  ++lines_;
  return Extension::done;
}

void LineReader::take_back() {
  text_ = first_line_;
  lines_ = 1;
}

Status LineReader::pass_over_mark() {
  while (waiting().size() < byte_order_mark.size()) {
    const auto more = refill();
    if (!more.ok()) return more.error();
    if (!*more) break;
  }
  if (waiting().starts_with(byte_order_mark)) begin_ += byte_order_mark.size();
  mark_passed_ = true;
  return {};
}

// Where the line ends that has its first byte at `from`. Past the limit it is enough to know that.
Result<LineReader::Extent> LineReader::find_end(std::size_t from) {
  std::size_t seen = from;
  while (true) {
    const std::size_t newline = waiting().find('\n', seen);
    if (newline != std::string_view::npos) return Extent{newline, newline + 1};
    seen = waiting().size();
    if (seen > from && seen > max_bytes_) return Extent{seen, seen};
    const auto more = refill();
    if (!more.ok()) return more.error();
    if (!*more) return Extent{seen, seen};
  }
}

Status LineReader::drop_line() {
  while (true) {
    const std::size_t newline = waiting().find('\n');
    if (newline != std::string_view::npos) {
      begin_ += newline + 1;
      return {};
    }
    begin_ = end_;
    const auto more = refill();
    if (!more.ok()) return more.error();
    if (!*more) return {};
  }
}

// Reads more bytes behind those that wait. `false` at the end.
Result<bool> LineReader::refill() {
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  if (buffer_.size() < end_ + chunk_bytes) buffer_.resize(std::max(2 * end_, end_ + chunk_bytes));
  const auto count = source_->read(std::span(buffer_).subspan(end_));
  if (!count.ok()) return count.error();
  end_ += *count;
  if (*count == 0 && source_->cut_off())
    return Error{ErrorCode::data, name_ + ": the compressed data is cut off"};
  return *count > 0;
}

}  // namespace qdedup::import
