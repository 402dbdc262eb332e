#pragma once

#include <functional>
#include <memory>
#include <string>

#include <spdlog/logger.h>

#include "base/clock.h"
#include "base/error.h"
#include "config/settings.h"
#include "daemon/check_index.h"
#include "daemon/daemon_status.h"
#include "daemon/open_requests.h"
#include "daemon/router.h"
#include "daemon/worker.h"
#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"

namespace qdedup::daemon {

// What the routes work with. It must outlive the jobs of the three workers.
struct ApiContext {
  db::StateFolder folder;
  std::shared_ptr<db::WritableState> state;
  const Clock& clock;
  Worker& worker;   // everything that changes the state runs on its one thread
  Worker& readers;  // for whatever only reads the state
  std::shared_ptr<spdlog::logger> log;
  std::shared_ptr<OpenRequests> checks;
  std::shared_ptr<OpenRequests> reads;  // what is asked of them, but for the metrics
  Worker& checkers;                     // reads the whole bank if there is no index
  CheckIndex& index;
  std::function<DaemonStatus()> status;               // on the loop's thread
  std::function<const config::Settings&()> settings;  // the same
};

// GET /healthz, /metrics, /api/status; and on the unix socket /api/settings.
void add_status_routes(Router& router, const ApiContext& context);

// The review page: its files, and /api/review/* (page/). Changes wait for the worker; 503 if too many wait
// (decision_limits).
void add_page_routes(Router& router, const ApiContext& context);

// The page's files (web/), with "/" for index.html, which say nothing of the state: where people sign in,
// everybody may have them. Browsers revalidate them each time by their ETag; they may load nothing from
// elsewhere (Content-Security-Policy) but pictures from the origin of `image_url`
// ([review] image_url).
void add_page_files(Router& router, const std::function<std::string()>& image_url);

// Who makes the decisions of a request, and when, for the audit: the user at the other end of the unix
// socket; over TCP signed_in_user() of whose session it is, or "token", and the name given with it (Basic),
// if any. Do not call it on the loop's thread, since it may query the system's user database.
db::Decider reviewer_of(const Request& request, const Clock& clock);

// {"error":"<message>"} under page::http_status().
Response error_response(const Error& error);

// Runs `respond` as a job of the worker, which is withdrawn if the client goes before it begins. An exception
// becomes an error_response().
void respond_on(Worker& worker, std::string job, const Responder& responder, std::function<void()> respond);

// The same for what only reads the state; 503 if too many such requests wait (read_limits).
void respond_on_readers(const ApiContext& context, std::string job, const Request& request,
                        const Responder& responder, std::function<void()> respond);

// Wraps a handler that reads or changes the state: it responds 503 with the reason while a database is
// damaged or out of place, because nothing may be opened then.
Handler on_sound_state(std::shared_ptr<db::WritableState> state, Handler handler);

}  // namespace qdedup::daemon
