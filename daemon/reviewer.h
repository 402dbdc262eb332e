#pragma once

#include <string>

#include "daemon/request.h"

namespace qdedup::daemon {

// Whose decisions a request brings, for the audit: the user at the other end of the unix socket; over TCP the
// name that came with the token (Basic), or "token" where none did (Bearer). May ask the system's user
// database, so not on the loop's thread.
std::string reviewer_of(const Request& request);

}  // namespace qdedup::daemon
