#pragma once

#include <functional>
#include <memory>

#include <boost/asio/thread_pool.hpp>

#include "base/clock.h"
#include "config/settings.h"
#include "daemon/check_index.h"
#include "daemon/daemon_status.h"
#include "daemon/router.h"
#include "daemon/worker.h"
#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"

namespace qdedup::daemon {

// What the routes work with. It must outlive the jobs of the worker and of both pools.
struct ApiContext {
  db::StateFolder folder;
  std::shared_ptr<db::WritableState> state;
  const Clock& clock;
  Worker& worker;                      // whatever changes the state runs on its one thread
  boost::asio::thread_pool& readers;   // for what only reads the state
  boost::asio::thread_pool& checkers;  // one thread, which reads the whole bank if there is no index
  CheckIndex& index;
  std::function<DaemonStatus()> status;               // on the loop's thread
  std::function<const config::Settings&()> settings;  // the same
};

// GET /healthz, /metrics, /api/status; and on the unix socket /api/settings.
void add_status_routes(Router& router, const ApiContext& context);

// The review page: its files, and /api/review/* (page/). Changes wait for the worker; 503 if too many wait.
void add_page_routes(Router& router, const ApiContext& context);

// The page's files (web/), "/" being index.html. Browsers check them each time, by their ETag; they
// may load nothing from elsewhere (Content-Security-Policy) but pictures from the origin of `image_url`
// ([review] image_url).
void add_page_files(Router& router, const std::function<std::string()>& image_url);

// Who makes the decisions of a request, and when, for the audit: the user at the other end of the unix
// socket; over TCP "token", and the name that came with it (Basic), if any. May ask the system's user
// database, so not on the loop's thread.
db::Decider reviewer_of(const Request& request, const Clock& clock);

// Runs `respond` on a thread of `pool`, unless the client has gone by then. An exception becomes a 500.
void respond_on(boost::asio::thread_pool& pool, const Responder& responder, std::function<void()> respond);

// A handler that reads or changes the state: 503 and the reason while a database is out of place or damaged,
// as nothing may be opened then.
Handler on_sound_state(std::shared_ptr<db::WritableState> state, Handler handler);

}  // namespace qdedup::daemon
