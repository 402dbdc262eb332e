#include "daemon/service.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/progress.h"
#include "base/version.h"
#include "daemon/api.h"
#include "daemon/authority.h"
#include "daemon/check_api.h"
#include "daemon/http_limits.h"
#include "daemon/idleness.h"
#include "daemon/page_api.h"
#include "daemon/token_file.h"
#include "daemon/watchdog.h"
#include "db/evidence.h"
#include "db/slots.h"
#include "iteration/iteration.h"

namespace qdedup::daemon {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using std::chrono::sys_seconds;

// How long a command or an iteration, and then whatever else is under way, may go on after SIGTERM.
constexpr std::chrono::milliseconds patience_with_jobs{2000};
constexpr std::chrono::milliseconds patience_with_others{1000};
constexpr int most_last_turns = 1000;  // of the loop, for what is to be sent yet
constexpr seconds longest_tick{10};
// How long something may stand still where systemd does not say.
constexpr seconds default_patience{60};

steady_clock::duration tick_period() {
  const auto period = Notifier::watchdog_period();
  return period ? std::min<steady_clock::duration>(*period / 3, longest_tick) : longest_tick;
}

steady_clock::duration patience() {
  const auto period = Notifier::watchdog_period();
  return period ? steady_clock::duration(*period) : default_patience;
}

// What an iteration reports moves the heartbeat.
Progress beating(Heartbeat& heartbeat) {
  return [&heartbeat](std::string_view, std::uint64_t, std::uint64_t, std::string_view) { heartbeat.beat(); };
}

Result<Authority> authority_of(const config::HttpSettings& settings) {
  Result<std::string> token = read_token_file(settings.token_file);
  if (!token.ok()) return std::move(token).error();
  return Authority::create(settings.hosts, *std::move(token));
}

Result<std::optional<db::IterationRecord>> iterate_on(cli::WritableState& state,
                                                      const config::Settings& settings, const Clock& clock,
                                                      sys_seconds slot, Heartbeat& heartbeat) {
  try {
    Result<db::Store> reading =
        db::Store::open(db::StateFolder(settings.state.folder), db::Access::read_only);
    if (!reading.ok()) return std::move(reading).error();
    reading->on_activity([&heartbeat](db::Activity) { heartbeat.beat(); });
    return iteration::run_iteration(*reading, state.store, state.bank, settings, clock, beating(heartbeat),
                                    slot);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::internal, "out of memory"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::internal, std::string("internal error: ") + exception.what()};
  }
}

}  // namespace

Service::Service(config::Settings settings, LoadSettings load_settings, const Clock& clock,
                 std::shared_ptr<spdlog::logger> log)
    : settings_(std::move(settings)),
      load_settings_(std::move(load_settings)),
      clock_(clock),
      log_(std::move(log)),
      started_at_(clock.now()),
      store_probe_(loop_, db::StateFolder(settings_.state.folder)),
      worker_([this] { boost::asio::post(loop_, [this] { show_status(); }); }),
      signals_(loop_, SIGTERM, SIGINT, SIGHUP),
      ticks_(loop_) {}

Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::start(config::Settings settings, LoadSettings load_settings,
                                                const Clock& clock, std::shared_ptr<spdlog::logger> log) {
  std::unique_ptr<Service> service(
      new Service(std::move(settings), std::move(load_settings), clock, std::move(log)));
  QDEDUP_TRY(service->open());
  QDEDUP_TRY(service->listen());
  return service;
}

Status Service::open() {
  Result<std::shared_ptr<cli::WritableState>> state =
      cli::open_writable_state(db::StateFolder(settings_.state.folder));
  if (!state.ok()) return std::move(state).error();
  state_ = *std::move(state);
  state_->bank.on_activity([this](db::Activity activity) { worker_.beat(activity); });
  state_->store.on_activity([this](db::Activity activity) {
    worker_.beat_if_mine(activity);
    if (tail_) tail_->beat_if_mine(activity);
  });

  Result<std::unique_ptr<Tail>> tail = Tail::create(
      loop_, settings_, state_->store, clock_,
      {[this](const iteration::LogNews& news) { tell(news); },
       [this](const std::optional<Error>& failure) { tell_failure(failure); }, [this] { show_status(); }});
  if (!tail.ok()) return std::move(tail).error();
  tail_ = *std::move(tail);
  check_index_.emplace(db::StateFolder(settings_.state.folder),
                       [this](const Result<std::shared_ptr<iteration::BankIndex>>& index) { tell(index); });
  commands_.emplace(worker_, *tail_, *check_index_, state_, clock_, log_,
                    HandedCommands::News{[this](bool succeeded) {
                                           boost::asio::post(
                                               loop_, [this, succeeded] { count_iteration(succeeded); });
                                         },
                                         [this] { boost::asio::post(loop_, [this] { slots_->retry(); }); }});

  const Result<schedule::Schedule> schedule =
      schedule::Schedule::parse(settings_.schedule.every, settings_.schedule.time_zone);
  if (!schedule.ok()) return schedule.error();
  slots_.emplace(loop_, *schedule, clock_, slot_actions());
  return {};
}

Status Service::listen() {
  ApiSources sources{db::StateFolder(settings_.state.folder), [this] { return status(); },
                     [this](Request request, const Responder& responder) {
                       commands_->take(std::move(request), responder, settings_);
                     },
                     readers_};
  Router router = api_routes(sources);
  add_page_routes(router, {sources.folder, readers_, worker_, state_, clock_});
  add_check_routes(router, {sources.folder, readers_, checkers_, worker_, *check_index_, state_, clock_,
                            [this] { return settings_.refine; }});
  http_.emplace(loop_, std::move(router), HttpLimits(),
                [this](std::string_view message) { log_->warn("{}", message); });
  QDEDUP_TRY(http_->listen_unix(db::StateFolder(settings_.state.folder).socket_path()));
  return settings_.http.listen.empty() ? Status() : listen_tcp();
}

Status Service::listen_tcp() {
  Result<Authority> authority = authority_of(settings_.http);
  if (!authority.ok()) return std::move(authority).error();
  return http_->listen_tcp(settings_.http.listen, *std::move(authority));
}

bool Service::run() {
  log_->info("qdedupd {} works on {}", program_version(), settings_.state.folder);
  wait_for_signals();
  tail_->start();
  slots_->start();
  check_index_->want(wanted_index());
  tick();
  (void)notifier_.ready();
  loop_.run();
  return stop();
}

void Service::wait_for_signals() {
  signals_.async_wait([this](boost::system::error_code failure, int signal) {
    if (failure) return;
    if (signal == SIGHUP) {
      reload();
      wait_for_signals();
    } else {
      loop_.stop();
    }
  });
}

bool Service::stop() {
  (void)notifier_.stopping();
  log_->info("stopping");
  slots_->stop();
  check_index_->begin_stop();
  const bool done = end_jobs();
  http_->stop();
  if (!done) {
    const std::optional<Worker::Activity> at_work = worker_.activity();
    log_->warn("the {} is given up; what of it is not stored yet is done when it runs again",
               at_work ? at_work->job : "work");
    return false;
  }
  if (!tail_->stop(patience_with_others) || !end_reading()) return false;
  log_->info("stopped");
  return true;
}

// The loop turns meanwhile, so that a command that comes to its end can say so.
bool Service::end_jobs() {
  bool done = false;
  std::thread waiting([this, &done] {
    done = worker_.stop(patience_with_jobs);
    boost::asio::post(loop_, [this] { loop_.stop(); });
  });
  loop_.restart();
  loop_.run();
  waiting.join();
  loop_.restart();
  for (int turns = 0; turns < most_last_turns && loop_.poll() > 0; ++turns) {
  }
  return done;
}

bool Service::end_reading() {
  const auto until = steady_clock::now() + patience_with_others;
  if (!becomes_idle(readers_, patience_with_others)) return false;
  const auto left = [until] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now());
  };
  return becomes_idle(checkers_, left()) && store_probe_.is_done(left()) && check_index_->stop(left());
}

void Service::reload() {
  (void)notifier_.reloading();
  Result<config::Settings> settings = load_settings_();
  if (settings.ok()) {
    use(*std::move(settings));
  } else {
    log_->error("the new config is not used: {}", settings.error().message);
  }
  (void)notifier_.ready();
  show_status();
}

void Service::use(config::Settings settings) {
  Result<schedule::Schedule> schedule =
      schedule::Schedule::parse(settings.schedule.every, settings.schedule.time_zone);
  if (!schedule.ok()) return log_->error("the new config is not used: {}", schedule.error().message);
  if (settings.state.folder != settings_.state.folder || settings.http.listen != settings_.http.listen) {
    log_->warn("[state] folder and [http] listen count from the next start on");
    settings.state.folder = settings_.state.folder;
    settings.http.listen = settings_.http.listen;
  }
  if (!settings.http.listen.empty()) {
    Result<Authority> authority = authority_of(settings.http);
    if (!authority.ok()) return log_->error("the new config is not used: {}", authority.error().message);
    http_->replace_authority(*std::move(authority));
  }
  slots_->use(*schedule);
  tail_->use(settings);
  settings_ = std::move(settings);
  check_index_->want(wanted_index());
  log_->info("the new config is in force");
}

CheckIndex::Wanted Service::wanted_index() const { return {settings_.refine, settings_.check.memory_bytes}; }

SlotKeeper::Actions Service::slot_actions() {
  return {
      [this] { return recorded_slots(); },
      [this](sys_seconds slot, std::function<void(const Status&)> done) { iterate(slot, std::move(done)); },
      [this](sys_seconds slot, std::function<void(const Status&)> done) { note(slot, std::move(done)); }};
}

Result<std::vector<sys_seconds>> Service::recorded_slots() {
  if (recorded_slots_) return *recorded_slots_;
  Result<db::Store> reading = db::Store::open(db::StateFolder(settings_.state.folder), db::Access::read_only);
  Result<std::vector<sys_seconds>> slots =
      reading.ok() ? db::Slots(*reading).recorded() : Result<std::vector<sys_seconds>>(reading.error());
  if (slots.ok()) {
    recorded_slots_ = *slots;
  } else {
    log_->error("the schedule waits: {}", slots.error().message);
  }
  return slots;
}

void Service::iterate(sys_seconds slot, std::function<void(const Status&)> done) {
  log_->info("iteration for the slot of {}", timestamp(slot));
  worker_.post(
      {"iteration", [this, slot, settings = settings_, done = std::move(done)](Heartbeat& heartbeat) mutable {
         const auto paused = check_index_->pause();
         settings.resources.memory_bytes = check_index_->left_of(settings.resources.memory_bytes);
         auto result = iterate_on(*state_, settings, clock_, slot, heartbeat);
         boost::asio::post(loop_, [this, done, result = std::move(result)] {
           iterated(result);
           done(result.ok() ? Status() : Status(result.error()));
         });
       }});
  show_status();
}

void Service::iterated(const Result<std::optional<db::IterationRecord>>& iteration) {
  recorded_slots_.reset();
  count_iteration(iteration.ok());
  if (!iteration.ok()) {
    last_iteration_failure_ = iteration.error().message;
    log_->error("the iteration failed, and is tried again: {}", iteration.error().message);
  } else {
    last_iteration_failure_.clear();
    if (iteration->has_value()) {
      const db::IterationRecord& record = **iteration;
      log_->info("iteration {}: {} distinct lists, {} clusters, {} deletions", record.id,
                 record.counts.distinct_lists, record.counts.clusters, record.counts.deletions);
    } else {
      log_->info("nothing new to decide; no iteration was made");
    }
  }
}

void Service::count_iteration(bool succeeded) { ++(succeeded ? succeeded_iterations_ : failed_iterations_); }

void Service::note(sys_seconds slot, std::function<void(const Status&)> done) {
  worker_.post({"schedule", [this, slot, done = std::move(done)](Heartbeat&) {
                  const Status noted = state_->store.write([&](db::Store& store) {
                    return db::Slots(store).record(slot, timestamp(clock_.now()));
                  });
                  boost::asio::post(loop_, [this, done, noted] {
                    recorded_slots_.reset();
                    done(noted);
                  });
                }});
}

void Service::tell(const iteration::LogNews& news) {
  using Kind = iteration::LogNews::Kind;
  switch (news.kind) {
    case Kind::problem:
    case Kind::possible_loss:
      log_->warn("{}", news.message);
      break;
    case Kind::solved:
    case Kind::copy:
      log_->info("{}", news.message);
      break;
  }
}

void Service::tell(const Result<std::shared_ptr<iteration::BankIndex>>& index) {
  if (index.ok()) {
    log_->info("checks are answered with an index of {} questions, {} MiB", (*index)->size(),
               (*index)->bytes() >> 20U);
  } else if (index.error().code == ErrorCode::config) {
    log_->warn("checks read the bank each time: [check] memory_mb is too little: {}", index.error().message);
  } else {
    log_->warn("checks read the bank each time: {}", index.error().message);
  }
}

void Service::tell_failure(const std::optional<Error>& failure) {
  if (failure) {
    log_->error("what was mined cannot be stored, and is mined again: {}", failure->message);
  } else {
    log_->info("what is mined can be stored again");
  }
  show_status();
}

// Shows systemd that all is well, or lets it find out that it is not.
void Service::tick() {
  const std::optional<std::string> hanging = status().hang;
  if (hanging) {
    log_->critical("{}", *hanging);
  } else if (Notifier::watchdog_period()) {
    (void)notifier_.alive();
  }
  store_probe_.ask();
  show_status();
  ticks_.expires_after(tick_period());
  ticks_.async_wait([this](boost::system::error_code failure) {
    if (!failure) tick();
  });
}

DaemonStatus Service::status() const {
  DaemonStatus status;
  status.started_at = started_at_;
  status.now = clock_.now();
  status.steady_now = steady_clock::now();
  status.tail = tail_->report();
  status.worker = worker_.activity();
  status.jobs_waiting = worker_.waiting();
  status.next_slot = slots_->next_slot();
  status.succeeded_iterations = succeeded_iterations_;
  status.failed_iterations = failed_iterations_;
  status.last_iteration_failure = last_iteration_failure_;
  status.check_index = check_index_->report();
  status.hang = hang({status.steady_now, status.worker, tail_->last_beat(), status.check_index.building,
                      store_probe_.asked_in_vain_since()},
                     patience());
  return status;
}

void Service::show_status() {
  std::string words = words_of(status());
  if (words == shown_status_) return;
  (void)notifier_.status(words);
  shown_status_ = std::move(words);
}

}  // namespace qdedup::daemon
