#pragma once

#include <functional>
#include <memory>

#include <spdlog/logger.h>

#include "base/clock.h"
#include "cli/host.h"
#include "config/settings.h"
#include "daemon/check_index.h"
#include "daemon/request.h"
#include "daemon/responder.h"
#include "daemon/tail.h"
#include "daemon/worker.h"

namespace qdedup::daemon {

// Runs the commands that the tool hands over, on the worker, one after the other; the log tells of each. A
// few may wait, the others are answered 503; one whose client goes while it waits is not begun. The index for
// checks is not built anew meanwhile, and what it takes they take less. What it is made of must outlive the
// worker's jobs.
class HandedCommands {
 public:
  // Called on the worker's thread.
  struct News {
    std::function<void(bool succeeded)> iterated;  // before the client hears of it
    std::function<void()> ended;                   // after each command
  };

  HandedCommands(Worker& worker, Tail& tail, CheckIndex& index, std::shared_ptr<cli::WritableState> state,
                 const Clock& clock, std::shared_ptr<spdlog::logger> log, News news)
      : worker_(worker),
        tail_(tail),
        index_(index),
        state_(std::move(state)),
        clock_(clock),
        log_(std::move(log)),
        news_(std::move(news)) {}

  // Answers with the lines of cli/remote_lines.h. `settings` are the daemon's own. On the loop's thread.
  void take(Request request, const Responder& responder, const config::Settings& settings);

 private:
  Worker& worker_;
  Tail& tail_;
  CheckIndex& index_;
  std::shared_ptr<cli::WritableState> state_;
  const Clock& clock_;
  std::shared_ptr<spdlog::logger> log_;
  News news_;
};

}  // namespace qdedup::daemon
