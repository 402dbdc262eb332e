#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::daemon {

// What an Authorization header presents: "Bearer <token>", or "Basic" (RFC 7617) with the token as the
// password and the reviewer's name as the user.
struct Credentials {
  enum class Scheme { bearer, basic };

  Scheme scheme = Scheme::bearer;
  std::string user;  // of Basic only (base/user_name.h)
  std::string token;
};

// None for another scheme, invalid Base64, or an invalid user name. Linear.
std::optional<Credentials> parse_credentials(std::string_view authorization);

enum class Verdict {
  granted,
  bad_host,      // 400: no Host, several, or not what a Host looks like
  misdirected,   // 421: a Host that is not on the list or, on the unix socket, not this machine
  unauthorised,  // 401: no token, or a wrong one
};

// Decides who may come in over TCP. First there must be one Host header that is on the list, which keeps out
// requests that a hostile page tricked a browser into sending; then the token is checked.
class Authority {
 public:
  // `hosts` as clients write them in the Host header, with the port unless it is 80 ("localhost:9631"); they
  // are compared as a whole, ignoring case. `token` is at least 16 characters of A-Z a-z 0-9 - . _ ~ + / and
  // =. Otherwise ErrorCode::config.
  static Result<Authority> create(std::vector<std::string> hosts, std::string token);

  // Takes all Host and Authorization headers of a request. The time does not depend on the token.
  [[nodiscard]] Verdict judge(const std::vector<std::string_view>& hosts,
                              const std::vector<std::string_view>& authorizations) const;

 private:
  Authority(std::vector<std::string> hosts, std::string token);

  std::vector<std::string> hosts_;
  std::string token_;
};

// For the unix socket: accepts at most one Host header (HTTP/1.1: exactly one), empty or localhost, 127.0.0.1
// or [::1], with any port. Browsers reach the socket through tunnels that end on the reviewer's own machine.
// Any other name was pointed there by a hostile page (DNS rebinding), and for a same-origin GET only Host
// shows that.
Verdict judge_local_host(const std::vector<std::string_view>& hosts, bool required);

// Whether `host` has the form of a Host header (RFC 9110).
bool is_host(std::string_view host);

// The token in a file, without surrounding white space. ErrorCode::config if the file is not a regular file
// of mode 0600 or stricter, is empty, or longer than 4 KiB; ErrorCode::no_input if it is missing or may not
// be read.
Result<std::string> read_token_file(const std::string& path);

}  // namespace qdedup::daemon
