#include "daemon/reviewer.h"

#include <optional>

#include "cli/unix_user.h"
#include "daemon/credentials.h"

namespace qdedup::daemon {

std::string reviewer_of(const Request& request) {
  if (request.peer.kind == Peer::Kind::unix_socket) return cli::unix_user(request.peer.user);
  const std::string* authorization = request.header("Authorization");
  const std::optional<Credentials> credentials =
      authorization == nullptr ? std::nullopt : parse_credentials(*authorization);
  return credentials && !credentials->user.empty() ? credentials->user : "token";
}

}  // namespace qdedup::daemon
