#pragma once

#include <functional>
#include <memory>

#include <boost/asio/thread_pool.hpp>

#include "base/clock.h"
#include "cli/host.h"
#include "daemon/router.h"
#include "daemon/worker.h"
#include "db/state_folder.h"

namespace qdedup::daemon {

// What the review page's answers are made of. All must outlive the jobs of the worker and of the readers.
struct PageSources {
  db::StateFolder folder;
  boost::asio::thread_pool& readers;  // for what only looks
  Worker& worker;                     // for what changes something: its one thread is the one that does
  std::shared_ptr<cli::WritableState> state;
  const Clock& clock;
};

// The page itself (web/), and /api/review/* (page/). Changes wait for the worker; when too many wait, 503.
void add_page_routes(Router& router, const PageSources& sources);

}  // namespace qdedup::daemon
