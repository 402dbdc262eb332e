#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace qdedup::daemon {

// Character classes as defined by HTTP, independent of the locale.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool equal_in_any_case(std::string_view a, std::string_view b);

using Header = std::pair<std::string, std::string>;
using Headers = std::vector<Header>;

// The values of all headers of that name, ignoring case.
std::vector<std::string_view> values_of(const Headers& headers, std::string_view name);

// Who sent a request: a local process over the unix socket, or somebody over TCP, with the token or signed
// in.
struct Peer {
  enum class Kind { unix_socket, tcp };
  Kind kind = Kind::tcp;
  uid_t user = static_cast<uid_t>(-1);  // of the process at the other end; unix socket only
  pid_t process = 0;                    // the same

  friend bool operator==(const Peer&, const Peer&) = default;
};

// The target of a request, with its %-escapes decoded.
struct RequestTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;  // in order; '+' is a space

  // None for anything ambiguous: a target that does not begin with '/' (a full URL, "*"); one with a space, a
  // control character, '#' or a byte beyond ASCII; an escape that is cut short, or stands for NUL or for
  // bytes that are not UTF-8; a path with an escaped '/', a backslash, another control character, an empty
  // segment before the last, or a "." or ".." segment.
  static std::optional<RequestTarget> parse(std::string_view target);
};

// A complete response. The server adds Content-Length, Connection, "Cache-Control: no-store" and
// "X-Content-Type-Options: nosniff"; `headers` adds others, or replaces those of the same name.
struct Response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body{};
  Headers headers{};
};

// A complete request, as handlers receive it. HEAD is handled like GET; the server omits the body.
struct Request {
  RequestTarget target;
  Headers headers;  // as received
  std::string body{};
  Peer peer{};
  std::string reviewer{};  // over TCP: whose session it is (daemon/sign_in.h), if anybody's
  std::function<std::optional<Response>()> refusal{};  // empty: over the Unix socket

  // What answers it if the sender is not let in any more, after a wait. On any thread.
  [[nodiscard]] std::optional<Response> refusal_by_now() const { return refusal ? refusal() : std::nullopt; }
};

Response text_response(unsigned status, std::string text);
Response json_response(unsigned status, std::string json);           // adds a line feed
Response error_response(unsigned status, std::string_view message);  // {"error":"<message>"}

// How a response is sent over the connection.
struct Framing {
  bool http_1_1 = true;
  bool keep_alive = true;
  bool streamed = false;  // in chunks (HTTP/1.0: until the connection closes), without a length
};

// Whether responses of this status have a body at all.
bool has_body(unsigned status);

// Status line and headers, with the empty line. Control characters in values become spaces.
std::string head_text(const Response& response, const Framing& framing);

// `bytes`, not empty, as a chunk.
std::string chunk_text(std::string_view bytes);

}  // namespace qdedup::daemon
