#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace qdedup::daemon {

// Characters as HTTP sees them, whatever the locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

enum class Method { get, post };

using Header = std::pair<std::string, std::string>;

// Who sent a request: a local process over the unix socket, or somebody with the token over TCP.
struct Peer {
  enum class Kind { unix_socket, tcp };
  Kind kind = Kind::tcp;
  uid_t user = static_cast<uid_t>(-1);  // of the process at the other end; unix socket only
  pid_t process = 0;                    // the same
};

// The target of a request, with its %-escapes decoded.
struct RequestTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;  // in order; '+' is a space

  // None for anything ambiguous: a target that does not begin with '/' (a whole URL, "*"), has a space, a
  // control character, '#' or a byte beyond ASCII, or an escape that is cut short or stands for a NUL or for
  // bytes that are not UTF-8; a path with an escaped '/', a backslash, another control character, an empty
  // segment before the last, or a segment "." or "..".
  static std::optional<RequestTarget> parse(std::string_view target);
};

// A whole request, as a handler gets it. HEAD comes as `get`; the server leaves out the body of the response.
struct Request {
  Method method = Method::get;
  std::string path;                                        // decoded: "/api/status"
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order
  std::vector<Header> headers;                             // as received
  std::string body;
  Peer peer;

  // The first header of that name, in any case; null: none.
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

}  // namespace qdedup::daemon
