#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "daemon/sign_in.h"

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

// Which of all Authorization headers of a request counts: a bearer's, as a proxy may add its own Basic to it;
// else the only one.
std::optional<Credentials> credentials_in(const std::vector<std::string_view>& authorizations);

enum class Verdict {
  granted,
  bad_host,      // 400: no Host, several, or not what a Host looks like
  misdirected,   // 421: a Host that is not on the list or, on the unix socket, not this machine
  unauthorised,  // 401: no token, or a wrong one, and nobody has signed in
  unavailable,   // 503: who may sign in cannot be read
};

// How it is decided who may come in over TCP.
struct Admission {
  // As clients write them in the Host header, with the port unless it is 80 ("localhost:9631"); they are
  // compared as a whole, ignoring case.
  std::vector<std::string> hosts;
  // At least 16 characters of A-Z a-z 0-9 - . _ ~ + / and =.
  std::string token;
  // Of a proxy (config/setting_values.h), whose host is answered too; may be empty.
  std::string public_url{};
  // Null: people have the token, as a password for any name (Basic).
  std::shared_ptr<SignIn> sign_in{};
};

// Decides who may come in over TCP. First there must be one Host header that is on the list, which keeps out
// requests that a hostile page tricked a browser into sending; then the token or the session is checked.
class Authority {
 public:
  // ErrorCode::config for a token of another form.
  static Result<Authority> create(Admission admission);

  // What the headers of a request, all of each name, are worth. The time does not depend on the token. Where
  // people sign in, the session counts unless there is a bearer's token: then `reviewer` says whose it is.
  // `by_now`, on any thread, says whether what granted still does: not once another file of reviewers counts.
  // `is_attended` (daemon/sign_in.h) keeps it alive.
  struct Sender {
    Verdict verdict = Verdict::unauthorised;
    std::string reviewer{};
    std::function<Verdict()> by_now{};
  };
  [[nodiscard]] Sender judge(const std::vector<std::string_view>& hosts,
                             const std::vector<std::string_view>& authorizations,
                             const std::vector<std::string_view>& cookies = {},
                             bool is_attended = true) const;

  // Where the token is the same, what the other one granted for it stays granted; else that ends with it.
  void take_place_of(const Authority& other);

  [[nodiscard]] bool has_sign_in() const { return admission_.sign_in != nullptr; }
  [[nodiscard]] const std::string& public_url() const { return admission_.public_url; }

 private:
  explicit Authority(Admission admission)
      : admission_(std::move(admission)),
        token_(std::make_shared<const std::string>(std::move(admission_.token))) {}

  [[nodiscard]] bool is_known(std::string_view host) const;
  [[nodiscard]] Sender signed_in(std::string_view host, const std::vector<std::string_view>& cookies,
                                 bool is_attended) const;

  Admission admission_;
  std::shared_ptr<const std::string> token_;  // what it grants lives as long
};

// The origin of the page that a browser gets from `host`: "https://" only where that is the host of
// `public_url`.
std::string origin_at(std::string_view host, const std::string& public_url);

// For the unix socket: accepts at most one Host header (HTTP/1.1: exactly one), empty or localhost, 127.0.0.1
// or [::1], with any port. Browsers reach the socket through tunnels that end on the reviewer's own machine.
// Any other name was pointed there by a hostile page (DNS rebinding), and for a same-origin GET only Host
// shows that.
Verdict judge_local_host(const std::vector<std::string_view>& hosts, bool required);

// The token in a file, without surrounding white space. ErrorCode::config if the file is not a regular file
// of mode 0600 or stricter, is empty, or longer than 4 KiB; ErrorCode::no_input if it is missing or may not
// be read.
Result<std::string> read_token_file(const std::string& path);

}  // namespace qdedup::daemon
