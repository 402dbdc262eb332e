#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::daemon {

enum class Verdict {
  granted,
  bad_host,      // 400: no Host, several, or not what a Host looks like
  misdirected,   // 421: a Host that is not on the list, or, on the unix socket, not this machine
  unauthorised,  // 401: no token, or another one
};

// Who may come in over TCP: one Host header that is on the list (checked first: it keeps out pages that a
// browser was tricked into sending here), then "Authorization: Bearer <token>", or Basic with the token as
// the password (credentials.h).
class Authority {
 public:
  // `hosts` as clients write them in the Host header, with the port if it is not 80 ("localhost:9631"),
  // compared whole and in any case. `token` is at least 16 characters of A-Z a-z 0-9 - . _ ~ + / and =. Else
  // ErrorCode::config.
  static Result<Authority> create(std::vector<std::string> hosts, std::string token);

  // All Host and Authorization headers of a request. The time that it takes does not depend on the token.
  [[nodiscard]] Verdict judge(const std::vector<std::string_view>& hosts,
                              const std::vector<std::string_view>& authorizations) const;

 private:
  Authority(std::vector<std::string> hosts, std::string token);

  std::vector<std::string> hosts_;
  std::string token_;
};

// What the unix socket asks for: at most one Host header (HTTP/1.1: exactly one), empty or localhost,
// 127.0.0.1 or [::1], with any port. Browsers reach it through tunnels, whose end is on the reviewer's own
// machine; any other name was pointed there by a page that means no good (DNS rebinding), and on a GET of its
// own origin nothing but Host tells of it.
Verdict judge_local_host(const std::vector<std::string_view>& hosts, bool required);

// Whether `host` has the form that RFC 9110 gives a Host header: a name, an IPv4 address or an IPv6 address
// in brackets, and perhaps a port.
bool is_host(std::string_view host);

}  // namespace qdedup::daemon
