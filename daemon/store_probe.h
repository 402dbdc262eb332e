#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/result.h"
#include "daemon/worker.h"
#include "db/bank.h"
#include "db/damage.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::daemon {

// Checks the databases on its own thread: whether they respond, whether the files at their paths are still
// the open ones, and whether these are sound and have the schemas that qdedup makes. Call all functions on
// the thread of `loop`, which must outlive the object. Its connections stay open, so that no other connection
// of this process is the last one to close a file that is out of place.
class StoreProbe {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Finding {
    std::optional<Error> trouble;  // none: all is well
    // Only a new process can continue: the databases at the paths are sound but not the open ones, or only
    // one of a database and its -wal file is the open one.
    bool needs_restart = false;
  };

  // Opens the databases, which must be there: what is in their place later is compared with them. `found` is
  // called once for each probe, on the thread of `loop`.
  static Result<std::unique_ptr<StoreProbe>> create(boost::asio::io_context& loop, db::StateFolder folder,
                                                    std::function<void(const Finding&)> found);

  // Starts a probe unless one is running.
  void ask();

  // When the running probe started; none if none is running.
  [[nodiscard]] std::optional<Time> asked_at() const { return asked_; }

  // Waits at most `patience` for the running probe; returns whether it is done.
  bool stop(std::chrono::milliseconds patience) { return becomes_idle(thread_, patience); }

 private:
  struct Opened {
    db::Store store;
    db::Bank bank;
    db::DiskCheck store_check;
    db::DiskCheck bank_check;
  };

  static Result<Opened> open(const db::StateFolder& folder);
  StoreProbe(boost::asio::io_context& loop, db::StateFolder folder, std::function<void(const Finding&)> found,
             Opened opened)
      : loop_(loop), folder_(std::move(folder)), found_(std::move(found)), opened_(std::move(opened)) {}

  // These run on the probe's thread.
  Finding look();
  [[nodiscard]] bool needs_restart() const;

  boost::asio::io_context& loop_;
  db::StateFolder folder_;
  std::function<void(const Finding&)> found_;
  Opened opened_;  // used only on that thread
  std::optional<Time> asked_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace qdedup::daemon
