#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "daemon/check_index.h"
#include "daemon/journal.h"
#include "daemon/slot_keeper.h"
#include "daemon/tail.h"
#include "daemon/worker.h"
#include "db/iterations.h"
#include "db/state_folder.h"
#include "db/store_writer.h"

namespace qdedup::daemon {

// What the daemon does to the state by itself: iterations, and looking after what arrived. To be used on the
// loop's thread.
class ScheduledJobs {
 public:
  struct Context {  // all must outlive the jobs
    boost::asio::io_context& loop;
    Worker& readers;
    Worker& worker;
    Tail& tail;
    CheckIndex& index;
    db::StateFolder folder;
    std::shared_ptr<db::WritableState> state;
    const config::Settings& settings;
    const Clock& clock;
    std::shared_ptr<Journal> log;
  };

  // Of iterations, since the start.
  struct Report {
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::string last_failure;  // empty: the last one, if any, succeeded
  };

  explicit ScheduledJobs(Context context) : context_(std::move(context)) {}

  [[nodiscard]] SlotKeeper::Actions slot_actions();

  // Takes out what has expired, and before it follows the bank and decisions, which a kill may have kept from
  // it.
  void tidy();

  [[nodiscard]] const Report& report() const { return report_; }

 private:
  template <class Value, class Work>
  void post(Worker& worker, const char* job, Work work, std::function<void(const Result<Value>&)> done);
  void find_recorded(const std::function<void(const SlotKeeper::Recorded&)>& found);
  void iterate(std::chrono::sys_seconds slot, std::function<void(const Status&)> done);
  void note(std::chrono::sys_seconds slot, std::function<void(const Status&)> done);
  void on_iterated(const Result<std::optional<db::IterationRecord>>& iteration);

  Context context_;
  std::optional<std::vector<std::chrono::sys_seconds>> recorded_slots_;
  Report report_;
};

}  // namespace qdedup::daemon
