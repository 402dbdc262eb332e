#include "miner/json_cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "base/parse_number.h"
#include "base/utf8.h"
#include "miner/digits.h"

namespace qdedup::miner {
namespace {

bool is_high_surrogate(unsigned code_unit) { return code_unit >= 0xD800 && code_unit <= 0xDBFF; }
bool is_low_surrogate(unsigned code_unit) { return code_unit >= 0xDC00 && code_unit <= 0xDFFF; }

// Whether eight bytes of a string contain no quote, backslash or control character.
bool is_plain_text(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return !has_json_special(word);
}

// The open brackets, one bit each.
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

Result<std::string> unescape_token(std::string_view token) {
  std::string unescaped;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      unescaped += token[i];
      continue;
    }
    const char code = ++i < token.size() ? token[i] : '\0';
    if (code != '0' && code != '1') {
      return Error{ErrorCode::config, "JSON pointer: a ~ must be followed by 0 or 1"};
    }
    unescaped += code == '0' ? '~' : '/';
  }
  return unescaped;
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  static constexpr std::array<std::uint32_t, 4> leads = {0, 0xC0, 0xE0, 0xF0};
  unsigned following = code_point < 0x80 ? 0 : code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
  text += static_cast<char>(leads[following] | code_point >> 6 * following);
  while (following-- > 0) text += static_cast<char>(0x80 | (code_point >> 6 * following & 0x3F));
}

std::uint32_t take_hex4(std::string_view& text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + 4, value, 16);
  text.remove_prefix(4);
  return value;
}

// Takes what follows \u: one code unit, or two that form a surrogate pair.
std::uint32_t take_code_point(std::string_view& text) {
  const std::uint32_t first = take_hex4(text);
  if (!is_high_surrogate(first)) return first;
  text.remove_prefix(2);
  return 0x10000 + ((first - 0xD800) << 10U) + (take_hex4(text) - 0xDC00);
}

// `text` is the valid JSON between the quotes of a string.
std::string unescape_string(std::string_view text) {
  constexpr std::string_view codes = "bfnrt";
  constexpr std::string_view controls = "\b\f\n\r\t";
  std::string content;
  while (!text.empty()) {
    const bool escaped = text.front() == '\\';
    if (escaped) text.remove_prefix(1);
    const char c = text.front();
    text.remove_prefix(1);
    if (escaped && c == 'u') {
      append_utf8(content, take_code_point(text));
    } else if (const std::size_t code = codes.find(c); escaped && code != std::string_view::npos) {
      content += controls[code];
    } else {
      content += c;
    }
  }
  return content;
}

// Whether `key`, the valid JSON between the quotes of a member name, means `token`.
bool is_named(std::string_view key, std::string_view token) {
  constexpr std::size_t longest_escape = 6;  // of one byte: \u0041
  if (key.find('\\') == std::string_view::npos) return key == token;
  return key.size() <= longest_escape * token.size() && unescape_string(key) == token;
}

std::string_view take_key(JsonCursor& cursor) {
  cursor.skip_space();
  const char* const begin = cursor.position() + 1;
  cursor.skip_string();
  const char* const end = cursor.position() - 1;
  cursor.take(':');
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::optional<JsonCursor> find_member(JsonCursor cursor, std::string_view name) {
  std::optional<JsonCursor> found;
  if (!cursor.take('{') || cursor.take('}')) return found;
  do {
    const std::string_view key = take_key(cursor);
    if (is_named(key, name)) found = cursor;
    cursor.skip_value();
  } while (cursor.take(','));
  return found;
}

// RFC 6901: digits without a leading zero.
std::optional<std::uint64_t> array_index(std::string_view token) {
  if (token.size() > 1 && token.front() == '0') return std::nullopt;
  return parse_number<std::uint64_t>(token);
}

std::optional<JsonCursor> find_element(JsonCursor cursor, std::string_view token) {
  const std::optional<std::uint64_t> index = array_index(token);
  if (!index || !cursor.take('[') || cursor.take(']')) return std::nullopt;
  for (std::uint64_t i = 0; i < *index; ++i) {
    cursor.skip_value();
    if (!cursor.take(',')) return std::nullopt;
  }
  return cursor;
}

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
  const char* const begin = at_;
  at_ = std::from_chars(begin, begin + std::min<std::ptrdiff_t>(4, end_ - begin), code_unit, 16).ptr;
  return at_ - begin == 4;
}

// Passes over what follows \u: one code unit, or two that form a surrogate pair.
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

std::string string_content(std::string_view text) { return unescape_string(text.substr(1, text.size() - 2)); }

Result<std::vector<std::string>> parse_pointer(std::string_view pointer) {
  if (!is_utf8(pointer)) return Error{ErrorCode::config, "JSON pointer: not UTF-8"};
  if (!pointer.empty() && pointer.front() != '/') {
    return Error{ErrorCode::config, "JSON pointer: it is empty, or begins with /"};
  }
  std::vector<std::string> tokens;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t length = std::min(pointer.find('/'), pointer.size());
    QDEDUP_ASSIGN_OR_RETURN(std::string token, unescape_token(pointer.substr(0, length)));
    tokens.push_back(std::move(token));
    pointer.remove_prefix(length);
  }
  return tokens;
}

bool find(const std::vector<std::string>& tokens, JsonCursor& cursor) {
  for (const std::string& token : tokens) {
    cursor.skip_space();
    const bool in_array = cursor.rest().starts_with('[');
    const std::optional<JsonCursor> found =
        in_array ? find_element(cursor, token) : find_member(cursor, token);
    if (!found) return false;
    cursor = *found;
  }
  return true;
}

}  // namespace qdedup::miner
