#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::miner {

// Deepest nesting of arrays and objects that a JSON text may have.
inline constexpr int max_nesting = 64;

// A position in a JSON text (RFC 8259), moving forward. Uses no memory besides itself; a copy is a bookmark.
// The text must outlive it. Every function is linear in the bytes it passes over.
//
// Stricter than the RFC in one point: an escaped surrogate (\ud800) needs its other half, because by itself
// it has no UTF-8 form. More lenient in one point: bytes from 0x80 in strings are not checked; see is_utf8.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  [[nodiscard]] const char* position() const { return at_; }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  void move_to(const char* position) { at_ = position; }

  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  // Passes over white space, and over `wanted` if that comes next; returns whether it did.
  bool take(char wanted) {
    skip_space();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  // Pass over one number, string or value of any kind (including white space before a value). After false,
  // the cursor is at the first byte that does not fit, or at the end if the text is cut short.
  bool skip_number();
  bool skip_string();
  bool skip_value();

  // Whether the byte that did not fit opens one level of nesting too many.
  [[nodiscard]] bool too_deep() const { return too_deep_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  [[nodiscard]] bool next_is(char wanted) const { return at_ != end_ && *at_ == wanted; }
  bool skip_digits();
  bool skip_hex4(unsigned& code_unit);
  bool skip_unicode_escape();
  bool skip_escape();
  bool skip_word(std::string_view word);
  bool skip_scalar();
  bool skip_key();

  const char* at_;
  const char* end_;
  bool too_deep_ = false;
};

// The content of a JSON string, which must be valid and include its quotes.
std::string string_content(std::string_view text);

// Parses a JSON pointer (RFC 6901) into its reference tokens, unescaped: "/a~1b/0" is {"a/b", "0"}. Fails
// with ErrorCode::config if `pointer` is neither empty nor begins with a slash, contains ~ without 0 or 1
// after it, or is not UTF-8.
Result<std::vector<std::string>> parse_pointer(std::string_view pointer);

// Moves the cursor, which must be at a valid JSON value, to the value within it that `tokens` lead to; false
// if there is none. Of members with the same name, the last one counts. Linear in the length of the value
// times the number of tokens.
[[nodiscard]] bool find(const std::vector<std::string>& tokens, JsonCursor& cursor);

}  // namespace qdedup::miner
