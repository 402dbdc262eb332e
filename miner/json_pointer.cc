#include "miner/json_pointer.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "base/utf8.h"

namespace qdedup::miner {
namespace {

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

// Takes what follows \u: one code unit, or two that make a surrogate pair.
std::uint32_t take_code_point(std::string_view& text) {
  const std::uint32_t first = take_hex4(text);
  if (first < 0xD800 || first > 0xDBFF) return first;
  text.remove_prefix(2);
  return 0x10000 + ((first - 0xD800) << 10U) + (take_hex4(text) - 0xDC00);
}

// The content of a valid JSON string.
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

// Is `key`, as it stands between its quotes in valid JSON, the member name `token`?
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
  std::uint64_t index = 0;
  const char* const token_end = token.data() + token.size();
  const auto [end, error] = std::from_chars(token.data(), token_end, index);
  if (error != std::errc{} || end != token_end) return std::nullopt;
  return index;
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

Result<std::vector<std::string>> parse_pointer(std::string_view pointer) {
  if (!is_utf8(pointer)) return Error{ErrorCode::config, "JSON pointer: not UTF-8"};
  if (!pointer.empty() && pointer.front() != '/') {
    return Error{ErrorCode::config, "JSON pointer: it is empty, or begins with /"};
  }
  std::vector<std::string> tokens;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t length = std::min(pointer.find('/'), pointer.size());
    Result<std::string> token = unescape_token(pointer.substr(0, length));
    if (!token.ok()) return std::move(token).error();
    tokens.push_back(std::move(token).value());
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
