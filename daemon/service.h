#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "daemon/check_index.h"
#include "daemon/daemon_status.h"
#include "daemon/http_server.h"
#include "daemon/journal.h"
#include "daemon/leases.h"
#include "daemon/scheduled_jobs.h"
#include "daemon/sign_in.h"
#include "daemon/slot_keeper.h"
#include "daemon/store_probe.h"
#include "daemon/tail.h"
#include "daemon/worker.h"
#include "db/state_folder.h"
#include "db/store_writer.h"

namespace qdedup::daemon {

// The daemon: follows the logs, runs iterations on schedule, lets commands write, serves requests. Each
// member may use those before it. They stop in this order: the schedule, the index and the leases, which
// begin jobs; the worker, while HTTP still serves its job; HTTP; the tail; the readers, the checkers, the
// probe and the index, which use the state. Call all functions on the thread that calls run().
class Service {
 public:
  // Reads the config again, for a reload.
  using LoadSettings = std::function<Result<config::Settings>()>;

  // Takes the state's lock and starts listening. ErrorCode::busy if another process has the lock.
  static Result<std::unique_ptr<Service>> start(config::Settings settings, LoadSettings load_settings,
                                                const Clock& clock, std::shared_ptr<Journal> log);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Works until SIGTERM or SIGINT, and for less than 5 s after that. Returns whether all work has ended. If
  // not (an iteration is still running, for example), the process should exit without waiting for it; what is
  // not committed by then is not stored.
  bool run();

  // Why the process should be restarted after run(); none if it was asked to stop.
  [[nodiscard]] const std::optional<Error>& restart_reason() const { return restart_reason_; }

 private:
  Service(config::Settings settings, LoadSettings load_settings, const Clock& clock,
          std::shared_ptr<Journal> log);

  Status open();
  Status listen();
  Status listen_tcp();
  Result<std::shared_ptr<SignIn>> sign_in_of(const config::HttpSettings& settings);

  void wait_for_signals();
  void reload();
  Status use_new_settings();
  bool stop();
  bool stop_jobs();
  void send_last_answers();
  bool stop_reading();
  [[nodiscard]] CheckIndex::Wanted wanted_index() const;

  void on_probe(const StoreProbe::Finding& finding);
  void restart(const std::string& why);

  void log_news(const iteration::LogNews& news);
  void log_index(const Result<std::shared_ptr<iteration::BankIndex>>& index);  // on the building thread
  void on_tail_failure(const std::optional<Error>& failure);

  void tick();
  [[nodiscard]] DaemonStatus status() const;
  void show_status();

  config::Settings settings_;
  LoadSettings load_settings_;
  const Clock& clock_;
  std::shared_ptr<Journal> log_;
  std::chrono::system_clock::time_point started_at_;
  std::string config_problem_;  // of the last reload
  db::StateFolder folder_;

  boost::asio::io_context loop_;
  std::shared_ptr<db::WritableState> state_;
  std::optional<CheckIndex> check_index_;
  Worker readers_{[] {}};
  Worker checkers_{[] {}};
  std::unique_ptr<StoreProbe> store_probe_;
  Worker worker_;
  std::unique_ptr<Tail> tail_;
  std::optional<Leases> leases_;
  std::shared_ptr<SignIn> sign_in_;
  std::optional<HttpServer> http_;
  std::optional<ScheduledJobs> jobs_;
  std::optional<SlotKeeper> slots_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer ticks_;
  std::chrono::steady_clock::time_point next_tidying_;

  std::string shown_status_;
  std::optional<std::string> logged_lease_trouble_;
  std::optional<Error> store_trouble_;
  std::optional<Error> restart_reason_;
};

}  // namespace qdedup::daemon
