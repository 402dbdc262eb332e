#pragma once

#include "base/clock.h"
#include "daemon/api.h"
#include "daemon/request.h"
#include "daemon/router.h"
#include "db/decisions.h"

namespace qdedup::daemon {

// The review page: its files, and /api/review/* (page/). Changes wait for the worker; 503 if too many wait.
void add_page_routes(Router& router, const ApiContext& context);

// The page's files (web/), "/" being index.html. Browsers check them each time, by their ETag; they
// may load nothing from elsewhere (Content-Security-Policy).
void add_page_files(Router& router);

// Who makes the decisions of a request, and when, for the audit: the user at the other end of the unix
// socket; over TCP "token", and the name that came with it (Basic), if any. May ask the system's user
// database, so not on the loop's thread.
db::Decider reviewer_of(const Request& request, const Clock& clock);

}  // namespace qdedup::daemon
