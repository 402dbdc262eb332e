#include "miner/json_cursor.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "miner/digits.h"

namespace qdedup::miner {
namespace {

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_high_surrogate(unsigned code_unit) { return code_unit >= 0xD800 && code_unit <= 0xDBFF; }
bool is_low_surrogate(unsigned code_unit) { return code_unit >= 0xDC00 && code_unit <= 0xDFFF; }

// Do eight bytes of a string hold no quote, backslash or control character?
bool is_plain_text(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t tops = 0x8080808080808080U;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const auto has_zero = [](std::uint64_t x) { return (x - ones) & ~x & tops; };
  const std::uint64_t control = (word - ones * 0x20) & ~word & tops;
  return (has_zero(word ^ (ones * '"')) | has_zero(word ^ (ones * '\\')) | control) == 0;
}

// The brackets that are open, one bit each.
class Nesting {
 public:
  [[nodiscard]] bool empty() const { return depth_ == 0; }
  [[nodiscard]] bool full() const { return depth_ == max_nesting; }
  [[nodiscard]] bool in_object() const { return (objects_ & 1U) != 0; }
  [[nodiscard]] char closing() const { return in_object() ? '}' : ']'; }

  void open(char bracket) {
    objects_ = objects_ << 1U | (bracket == '{' ? 1U : 0U);
    ++depth_;
  }
  void close() {
    objects_ >>= 1U;
    --depth_;
  }

 private:
  static_assert(max_nesting <= 64);

  std::uint64_t objects_ = 0;
  int depth_ = 0;
};

}  // namespace

bool JsonCursor::skip_digits() {
  if (at_ == end_ || !is_digit(*at_)) return false;
  while (at_ != end_ && is_digit(*at_)) ++at_;
  return true;
}

bool JsonCursor::skip_number() {
  if (next_is('-')) ++at_;
  if (next_is('0')) {
    ++at_;
  } else if (!skip_digits()) {
    return false;
  }
  if (next_is('.')) {
    ++at_;
    if (!skip_digits()) return false;
  }
  if (next_is('e') || next_is('E')) {
    ++at_;
    if (next_is('+') || next_is('-')) ++at_;
    return skip_digits();
  }
  return true;
}

bool JsonCursor::skip_hex4(unsigned& code_unit) {
  code_unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const int value = at_ == end_ ? -1 : hex_value(*at_);
    if (value < 0) return false;
    code_unit = code_unit * 16 + static_cast<unsigned>(value);
  }
  return true;
}

// What follows \u: one code unit, or two that make a surrogate pair.
bool JsonCursor::skip_unicode_escape() {
  unsigned code_unit = 0;
  if (!skip_hex4(code_unit)) return false;
  bool fits = !is_low_surrogate(code_unit);
  if (is_high_surrogate(code_unit)) {
    if (!skip_word("\\u") || !skip_hex4(code_unit)) return false;
    fits = is_low_surrogate(code_unit);
  }
  if (!fits) --at_;
  return fits;
}

bool JsonCursor::skip_escape() {
  ++at_;
  if (next_is('u')) {
    ++at_;
    return skip_unicode_escape();
  }
  if (at_ == end_ || std::string_view("\"\\/bfnrt").find(*at_) == std::string_view::npos) return false;
  ++at_;
  return true;
}

bool JsonCursor::skip_string() {
  if (!next_is('"')) return false;
  ++at_;
  while (at_ != end_) {
    if (end_ - at_ >= 8 && is_plain_text(at_)) {
      at_ += 8;
    } else if (*at_ == '"') {
      ++at_;
      return true;
    } else if (*at_ == '\\') {
      if (!skip_escape()) return false;
    } else if (static_cast<unsigned char>(*at_) < 0x20) {
      return false;
    } else {
      ++at_;
    }
  }
  return false;
}

bool JsonCursor::skip_word(std::string_view word) {
  for (const char c : word) {
    if (!next_is(c)) return false;
    ++at_;
  }
  return true;
}

bool JsonCursor::skip_scalar() {
  if (at_ == end_) return false;
  switch (*at_) {
    case '"':
      return skip_string();
    case 't':
      return skip_word("true");
    case 'f':
      return skip_word("false");
    case 'n':
      return skip_word("null");
    default:
      return skip_number();
  }
}

bool JsonCursor::skip_key() {
  skip_space();
  return skip_string() && take(':');
}

bool JsonCursor::skip_value() {
  Nesting nesting;
  while (true) {
    skip_space();
    if (next_is('[') || next_is('{')) {
      too_deep_ = nesting.full();
      if (too_deep_) return false;
      nesting.open(*at_++);
      skip_space();
      if (!next_is(nesting.closing())) {
        if (nesting.in_object() && !skip_key()) return false;
        continue;
      }
    } else if (!skip_scalar()) {
      return false;
    }
    while (!nesting.empty() && take(nesting.closing())) nesting.close();
    if (nesting.empty()) return true;
    if (!take(',')) return false;
    if (nesting.in_object() && !skip_key()) return false;
  }
}

}  // namespace qdedup::miner
