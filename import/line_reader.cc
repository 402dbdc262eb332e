#include "import/line_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "import/text_source.h"
#include "logs/byte_source.h"
#include "logs/spooled_file.h"

namespace qdedup::import {
namespace {

constexpr std::size_t chunk_bytes = 1U << 18U;

Result<Input> open_verified(const std::shared_ptr<const logs::RegularFile>& file) {
  std::string first(logs::magic_bytes, '\0');
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, file->read_at(0, first));
  if (logs::compression_of(first.substr(0, count)) == logs::Compression::none)
    return Input{std::make_unique<logs::FileSource>(file, 0), file->size(), file->path()};
  QDEDUP_ASSIGN_OR_RETURN(auto unpacked, logs::unpack_verified(file));
  return Input{std::move(unpacked.source), file->size(), file->path(), unpacked.compression};
}

Result<Input> open_standard_input(const logs::Files& files) {
  const std::string name = logs::StreamSource::standard_input;
  logs::Peeked input = logs::peek(files.standard_input(), logs::magic_bytes);
  if (logs::compression_of(input.first) == logs::Compression::none)
    return Input{std::move(input.whole), 0, name};
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor spooled, logs::spool(*input.whole));
  QDEDUP_ASSIGN_OR_RETURN(logs::RegularFile file, logs::RegularFile::adopt(std::move(spooled), name));
  return open_verified(std::make_shared<const logs::RegularFile>(std::move(file)));
}

}  // namespace

LineReader::LineReader(std::unique_ptr<logs::ByteSource> source, std::uint64_t size, std::string name,
                       std::size_t max_bytes)
    : source_(std::move(source)), size_(size), name_(std::move(name)), max_bytes_(max_bytes) {}

Result<bool> LineReader::next() {
  if (std::exchange(repeat_, false)) return true;
  if (!mark_passed_) QDEDUP_TRY(pass_over_mark());
  begin_ += std::exchange(text_, {}).all_bytes;
  number_ += std::exchange(lines_, 0);
  QDEDUP_ASSIGN_OR_RETURN(const Extent line, find_end(0));
  if (line.all_bytes == 0) return false;
  lines_ = 1;
  too_long_ = line.text_bytes > max_bytes_;
  if (too_long_) {
    QDEDUP_TRY(drop_line());
  } else {
    text_ = line;
  }
  first_line_ = text_;
  return true;
}

Result<LineReader::Extension> LineReader::extend() {
  QDEDUP_ASSIGN_OR_RETURN(const Extent longer, find_end(text_.all_bytes));
  if (longer.all_bytes == text_.all_bytes) return Extension::at_end;
  if (longer.text_bytes > max_bytes_) return Extension::too_long;
  text_ = longer;
  ++lines_;
  return Extension::done;
}

void LineReader::take_back() {
  text_ = first_line_;
  lines_ = 1;
}

Status LineReader::pass_over_mark() {
  while (waiting().size() < byte_order_mark.size()) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, refill());
    if (!more) break;
  }
  if (waiting().starts_with(byte_order_mark)) begin_ += byte_order_mark.size();
  mark_passed_ = true;
  return {};
}

// The end of the line whose first byte is at `from`. If it exceeds the limit, only that matters.
Result<LineReader::Extent> LineReader::find_end(std::size_t from) {
  std::size_t seen = from;
  while (true) {
    const std::size_t newline = waiting().find('\n', seen);
    if (newline != std::string_view::npos) return Extent{newline, newline + 1};
    seen = waiting().size();
    if (seen > from && seen > max_bytes_) return Extent{seen, seen};
    QDEDUP_ASSIGN_OR_RETURN(const bool more, refill());
    if (!more) return Extent{seen, seen};
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
    QDEDUP_ASSIGN_OR_RETURN(const bool more, refill());
    if (!more) return {};
  }
}

// Appends more bytes to those not yet consumed; false at the end.
Result<bool> LineReader::refill() {
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  if (buffer_.size() < end_ + chunk_bytes) buffer_.resize(std::max(2 * end_, end_ + chunk_bytes));
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, source_->read(std::span(buffer_).subspan(end_)));
  end_ += count;
  if (count == 0 && source_->cut_off())
    return Error{ErrorCode::data, name_ + ": the compressed data is cut off"};
  return count > 0;
}

Result<Input> open_input(const std::string& path, const logs::Files& files) {
  if (path == "-") return open_standard_input(files);
  QDEDUP_ASSIGN_OR_RETURN(const auto file, files.open(path));
  return open_verified(file);
}

Result<LineReader> open_lines(const std::string& path, const logs::Files& files, std::size_t max_bytes) {
  QDEDUP_ASSIGN_OR_RETURN(Input input, open_input(path, files));
  QDEDUP_ASSIGN_OR_RETURN(auto text,
                          as_utf8(std::move(input.source), input.name, std::nullopt, input.compression));
  return LineReader(std::move(text), input.size, std::move(input.name), max_bytes);
}

Result<std::optional<std::string_view>> first_line(LineReader& lines) {
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines.next());
    if (!more) return std::optional<std::string_view>();
    if (!lines.too_long() && without_blanks(lines.text()).empty()) continue;
    lines.repeat();
    return std::optional(lines.text());
  }
}

std::string_view without_blanks(std::string_view line) { return trimmed(line, " \t\r"); }

}  // namespace qdedup::import
