#include "import/json_array_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace qdedup::import {
namespace {

constexpr std::size_t piece_bytes = 1U << 16U;

bool begins_array(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const auto first = std::ranges::find_if_not(bytes, is_white_space);
  return first != bytes.end() && *first == '[';
}

class JsonArraySource final : public logs::ByteSource {
 public:
  JsonArraySource(std::unique_ptr<logs::ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    while (in_array_) {
      if (const std::size_t count = convert(buffer); count > 0) return count;
      if (!in_array_) break;
      QDEDUP_TRY(refill());
      if (!piece_.empty()) continue;
      if (cut_off()) return std::size_t{0};
      return Error{ErrorCode::data, name_ + ": the JSON array has no end"};
    }
    return pass_on(buffer);
  }
  [[nodiscard]] bool cut_off() const override { return source_->cut_off(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }

 private:
  Status refill() {
    at_ = 0;
    piece_.resize(piece_bytes);
    auto count = source_->read(piece_);
    piece_.resize(count.ok() ? *count : 0);
    return count.ok() ? Status() : Status(std::move(count).error());
  }

  Result<std::size_t> pass_on(std::span<char> buffer) {
    if (at_ == piece_.size()) return source_->read(buffer);
    const std::size_t count = piece_.copy(buffer.data(), buffer.size(), at_);
    at_ += count;
    return count;
  }

  // Fills the front of `buffer`, up to the end of the piece or the array.
  std::size_t convert(std::span<char> buffer) {
    std::size_t count = 0;
    while (in_array_ && at_ < piece_.size() && count < buffer.size()) {
      if (!in_element_ && skip_between()) continue;
      buffer[count++] = in_element_ ? next_of_element() : next_before_element();
    }
    return count;
  }

  // Before the array and between elements: skips the next byte unless it belongs to an element.
  bool skip_between() {
    const char c = piece_[at_];
    if (begun_ && !is_white_space(c) && c != ']') return false;
    begun_ = begun_ || c == '[';
    lines_in_ += c == '\n' ? 1 : 0;
    in_array_ = c != ']';
    ++at_;
    return true;
  }

  // Returns line feeds until the element is in its line, then its first byte.
  char next_before_element() {
    in_element_ = is_empty_ = lines_out_ >= lines_in_;
    if (in_element_) return next_of_element();
    ++lines_out_;
    return '\n';
  }

  // A line feed within an element becomes a tab, which is just as valid between tokens and just as invalid in
  // a string. Where an element is missing stands its comma, which is no question.
  char next_of_element() {
    const char c = piece_[at_];
    if (std::exchange(is_empty_, false) && c == ',') return c;
    ++at_;
    if (c == '\n') {
      ++lines_in_;
      in_string_ = escaped_ = false;
      return '\t';
    }
    if (in_string_) {
      pass_in_string(c);
      return c;
    }
    if (depth_ == 0 && (c == ',' || c == ']')) {
      in_array_ = c == ',';
      in_element_ = false;
      ++lines_out_;
      return '\n';
    }
    in_string_ = c == '"';
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && depth_ > 0) --depth_;
    return c;
  }

  void pass_in_string(char c) {
    in_string_ = escaped_ || c != '"';
    escaped_ = !escaped_ && c == '\\';
  }

  std::unique_ptr<logs::ByteSource> source_;
  std::string name_;
  std::string piece_;
  std::size_t at_ = 0;    // in piece_
  bool begun_ = false;    // the bracket was passed
  bool in_array_ = true;  // or before it
  bool in_element_ = false;
  bool is_empty_ = false;  // so far
  bool in_string_ = false;
  bool escaped_ = false;
  std::uint64_t depth_ = 0;      // within the element
  std::uint64_t lines_in_ = 0;   // line feeds read
  std::uint64_t lines_out_ = 0;  // line feeds written
};

}  // namespace

std::unique_ptr<logs::ByteSource> json_array_lines(std::unique_ptr<logs::ByteSource> source,
                                                   std::string name) {
  logs::Peeked peeked = logs::peek(std::move(source), piece_bytes);
  if (!begins_array(peeked.first)) return std::move(peeked.whole);
  return std::make_unique<JsonArraySource>(std::move(peeked.whole), std::move(name));
}

}  // namespace qdedup::import
