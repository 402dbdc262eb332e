#pragma once

#include <functional>
#include <memory>

#include <boost/asio/thread_pool.hpp>

#include "base/clock.h"
#include "cli/host.h"
#include "daemon/check_index.h"
#include "daemon/router.h"
#include "daemon/worker.h"
#include "db/state_folder.h"
#include "refine/duplicate_test.h"

namespace qdedup::daemon {

// What answers about single questions are made of. All must outlive the jobs of the worker, of the readers
// and of the checkers.
struct CheckSources {
  db::StateFolder folder;
  boost::asio::thread_pool& readers;
  boost::asio::thread_pool& checkers;  // one thread, which reads the whole bank where there is no index
  Worker& worker;                      // its one thread adds questions, so that of two equal ones one enters
  CheckIndex& index;
  std::shared_ptr<cli::WritableState> state;
  const Clock& clock;
  std::function<refine::DuplicateSettings()> settings;  // on the loop's thread
};

// POST /v1/check, GET /v1/similar/ID (doc/formats.md).
void add_check_routes(Router& router, const CheckSources& sources);

}  // namespace qdedup::daemon
