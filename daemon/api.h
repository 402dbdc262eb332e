#pragma once

#include <functional>

#include <boost/asio/thread_pool.hpp>

#include "daemon/daemon_status.h"
#include "daemon/request.h"
#include "daemon/router.h"
#include "db/state_folder.h"

namespace qdedup::daemon {

// What the answers are made of.
struct ApiSources {
  db::StateFolder folder;
  std::function<DaemonStatus()> status;                                      // on the loop's thread
  std::function<void(Request request, const Responder& responder)> command;  // of the unix socket only
  boost::asio::thread_pool& readers;                                         // for what reads the state
};

// GET /healthz, /metrics, /api/status; POST /api/command.
Router api_routes(const ApiSources& sources);

}  // namespace qdedup::daemon
