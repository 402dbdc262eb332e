#include "daemon/service.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/error.h"
#include "base/escaped.h"
#include "base/file_descriptor.h"
#include "base/version.h"
#include "daemon/api.h"
#include "daemon/authority.h"
#include "daemon/check_api.h"
#include "daemon/session_api.h"
#include "daemon/systemd.h"

namespace qdedup::daemon {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

// How long a command or an iteration, and then everything else, may continue after SIGTERM.
constexpr std::chrono::milliseconds patience_with_jobs{2000};
constexpr std::chrono::milliseconds patience_with_others{1000};
// Of each listener, beside those with checks.
constexpr std::size_t connections_for_others = 40;
constexpr seconds max_tick{10};
constexpr std::chrono::hours between_tidyings{1};
// How long something may make no progress, unless systemd specifies it.
constexpr seconds default_patience{60};

steady_clock::duration patience() { return watchdog_period().value_or(default_patience); }

steady_clock::duration tick_period() { return std::min<steady_clock::duration>(patience() / 3, max_tick); }

Result<Authority> authority_of(const config::HttpSettings& settings, std::shared_ptr<SignIn> sign_in) {
  QDEDUP_ASSIGN_OR_RETURN(std::string token, read_token_file(settings.token_file));
  return Authority::create({settings.hosts, std::move(token), settings.public_url, std::move(sign_in)});
}

}  // namespace

Service::Service(config::Settings settings, LoadSettings load_settings, const Clock& clock,
                 std::shared_ptr<Journal> log)
    : settings_(std::move(settings)),
      load_settings_(std::move(load_settings)),
      clock_(clock),
      log_(std::move(log)),
      started_at_(clock.now()),
      folder_(settings_.state.folder),
      worker_([this] { boost::asio::post(loop_, [this] { show_status(); }); }),
      signals_(loop_, SIGHUP),
      ticks_(loop_) {}

Result<std::unique_ptr<Service>> Service::start(config::Settings settings, LoadSettings load_settings,
                                                const Clock& clock, std::shared_ptr<Journal> log) {
  std::unique_ptr<Service> service(
      new Service(std::move(settings), std::move(load_settings), clock, std::move(log)));
  QDEDUP_TRY(service->open());
  // Until here they end the process at once: opening may take long, and survives that.
  service->signals_.add(SIGTERM);
  service->signals_.add(SIGINT);
  QDEDUP_TRY(service->listen());
  return service;
}

Status Service::open() {
  QDEDUP_TRY(config::expect_own_folder(settings_.state));
  QDEDUP_ASSIGN_OR_RETURN(state_, db::open_writable_state(folder_));
  QDEDUP_ASSIGN_OR_RETURN(
      store_probe_,
      StoreProbe::create(loop_, folder_, [this](const StoreProbe::Finding& finding) { on_probe(finding); }));
  state_->bank.on_activity([this](db::Activity activity) { worker_.beat(activity); });
  state_->store.on_activity([this](db::Activity activity) {
    worker_.beat_if_mine(activity);
    if (tail_) tail_->beat_if_mine(activity);
  });

  QDEDUP_ASSIGN_OR_RETURN(
      tail_, Tail::create(loop_, settings_, state_->store, clock_,
                          {[this](const iteration::LogNews& news) { log_news(news); },
                           [this](const std::optional<Error>& failure) { on_tail_failure(failure); },
                           [this] {
                             slots_->logs_moved();
                             show_status();
                           }}));
  check_index_.emplace(
      folder_, [this](const Result<std::shared_ptr<iteration::BankIndex>>& index) { log_index(index); });
  leases_.emplace(Leases::Context{loop_, worker_, *tail_, *check_index_, folder_, state_, log_,
                                  [this] { boost::asio::post(loop_, [this] { slots_->retry(); }); }});

  jobs_.emplace(ScheduledJobs::Context{loop_, readers_, worker_, *tail_, *check_index_, folder_, state_,
                                       settings_, clock_, log_});
  QDEDUP_ASSIGN_OR_RETURN(const schedule::Schedule schedule,
                          schedule::Schedule::parse(settings_.schedule.every, settings_.schedule.time_zone));
  slots_.emplace(loop_, schedule, settings_.schedule.wait_for_logs, clock_, jobs_->slot_actions());
  return {};
}

Status Service::listen() {
  HttpLimits limits;
  limits.connections = std::clamp<std::size_t>(open_file_limit() / 8, 4,
                                               connections_for_others + settings_.check.max_requests);
  const std::size_t checks =
      std::min(settings_.check.max_requests,
               limits.connections - std::min(connections_for_others, limits.connections / 2));
  const ApiContext context{
      .folder = folder_,
      .state = state_,
      .clock = clock_,
      .worker = worker_,
      .readers = readers_,
      .log = log_,
      .checks = std::make_shared<OpenRequests>(OpenRequests::Limits{"checks", checks, checks - checks / 4}),
      .reads = std::make_shared<OpenRequests>(read_limits),
      .checkers = checkers_,
      .index = *check_index_,
      .status = [this] { return status(); },
      .settings = [this]() -> const config::Settings& { return settings_; }};
  Router router;
  add_status_routes(router, context);
  leases_->add_routes(router);
  add_page_routes(router, context);
  add_check_routes(router, context);
  add_session_routes(router, [this] { return SignInPlace{sign_in_, settings_.http.public_url}; });
  http_.emplace(loop_, std::move(router), limits,
                [this](std::string_view message) { log_->warn("{}", message); });
  QDEDUP_TRY(http_->listen_unix(folder_.socket_path()));
  return settings_.http.listen.empty() ? Status() : listen_tcp();
}

Status Service::listen_tcp() {
  QDEDUP_ASSIGN_OR_RETURN(const auto address, config::parse_listen_address(settings_.http.listen));
  QDEDUP_ASSIGN_OR_RETURN(sign_in_, sign_in_of(settings_.http));
  QDEDUP_ASSIGN_OR_RETURN(Authority authority, authority_of(settings_.http, sign_in_));
  QDEDUP_TRY(http_->listen_tcp(address, std::move(authority)));
  const std::string& page = settings_.http.public_url;
  log_->info("the review page is at {}", page.empty() ? "http://" + settings_.http.listen : page);
  return {};
}

// The same as before, with its sessions, where the file is the same.
Result<std::shared_ptr<SignIn>> Service::sign_in_of(const config::HttpSettings& settings) {
  if (settings.reviewers_file.empty()) return std::shared_ptr<SignIn>();
  if (sign_in_ && sign_in_->file() == settings.reviewers_file) return sign_in_;
  return SignIn::open(settings.reviewers_file, clock_,
                      [this](const std::string& message) { log_->error("{}", escaped(message)); });
}

bool Service::run() {
  log_->info("qdedupd {} works on {}", program_version(), settings_.state.folder);
  wait_for_signals();
  tail_->look_now();
  slots_->start();
  check_index_->want(wanted_index());
  tick();
  notify_ready();
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
  notify_stopping();
  log_->info("stopping");
  slots_->stop();
  check_index_->begin_stop();
  http_->begin_stop();
  worker_.stop({});  // what waits for a lease to end is not begun when that ends now
  leases_->stop();
  const bool done = stop_jobs();
  send_last_answers();
  http_->stop();
  if (!done) {
    const std::optional<Worker::RunningJob> at_work = worker_.running();
    log_->warn("the {} is given up; what of it is not stored yet is done when it runs again",
               at_work ? at_work->job : "work");
    return false;
  }
  if (!tail_->stop(patience_with_others) || !stop_reading()) return false;
  log_->info("stopped");
  return true;
}

// Keeps the loop running meanwhile, so that a command that ends can report it.
bool Service::stop_jobs() {
  bool done = false;
  loop_.restart();
  {
    const std::jthread waiting([this, &done] {
      done = worker_.stop(patience_with_jobs);
      loop_.stop();
    });
    loop_.run();
  }
  return done;
}

void Service::send_last_answers() {
  loop_.restart();
  const auto until = steady_clock::now() + patience_with_others;
  while (http_->is_busy() && loop_.run_one_until(until) > 0) {
  }
}

bool Service::stop_reading() {
  const auto until = steady_clock::now() + patience_with_others;
  if (!readers_.stop(patience_with_others)) return false;
  const auto left = [until] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now());
  };
  return checkers_.stop(left()) && store_probe_->stop(left()) && check_index_->stop(left());
}

void Service::reload() {
  notify_reloading();
  const Status loaded = use_new_settings();
  config_problem_ = loaded.ok() ? "" : loaded.error().message;
  if (!loaded.ok()) log_->error("the new config is not used: {}", config_problem_);
  notify_ready();
  show_status();
}

Status Service::use_new_settings() {
  QDEDUP_ASSIGN_OR_RETURN(config::Settings settings, load_settings_());
  QDEDUP_ASSIGN_OR_RETURN(const schedule::Schedule schedule,
                          schedule::Schedule::parse(settings.schedule.every, settings.schedule.time_zone));
  std::shared_ptr<SignIn> sign_in;
  std::optional<Authority> authority;
  if (!settings.http.listen.empty()) {
    QDEDUP_ASSIGN_OR_RETURN(sign_in, sign_in_of(settings.http));
    QDEDUP_ASSIGN_OR_RETURN(authority, authority_of(settings.http, sign_in));
  }
  const bool listens_elsewhere = settings.http.listen != settings_.http.listen;
  if (settings.state.folder != settings_.state.folder || listens_elsewhere ||
      settings.check.max_requests != settings_.check.max_requests) {
    log_->warn(
        "[state] folder, [http] with another listen, and [check] max_requests count from the next start on");
    settings.state.folder = settings_.state.folder;
    if (listens_elsewhere) settings.http = settings_.http;
    settings.check.max_requests = settings_.check.max_requests;
  }
  if (authority && !listens_elsewhere) {
    http_->replace_authority(*std::move(authority));
    sign_in_ = std::move(sign_in);
  }
  slots_->use(schedule, settings.schedule.wait_for_logs);
  tail_->use(settings);
  settings_ = std::move(settings);
  check_index_->want(wanted_index());
  log_->info("the new config is in force");
  if (settings_.logs.paths.empty()) log_->warn("[logs] paths is empty: no log is followed");
  return {};
}

// The index knows no set measures.
CheckIndex::Wanted Service::wanted_index() const {
  const bool by_sets = refine::set_measure(settings_.refine.similarity).has_value();
  return {settings_.refine, by_sets ? 0 : settings_.check.memory_bytes};
}

void Service::log_news(const iteration::LogNews& news) {
  using Kind = iteration::LogNews::Kind;
  const bool is_harmless =
      news.kind == Kind::solved || news.kind == Kind::copy || news.kind == Kind::left_out;
  log_->log(is_harmless ? spdlog::level::info : spdlog::level::warn, "{}", escaped(news.message));
}

void Service::log_index(const Result<std::shared_ptr<iteration::BankIndex>>& index) {
  if (index.ok()) {
    log_->info("checks are answered with an index of {} questions, {} MiB", (*index)->size(),
               (*index)->bytes() >> 20U);
  } else {
    const bool is_tight = index.error().code == ErrorCode::config;
    log_->warn("checks read the bank each time: {}{}", is_tight ? "[check] memory_mb is too little: " : "",
               index.error().message);
  }
}

void Service::on_tail_failure(const std::optional<Error>& failure) {
  store_probe_->ask();
  if (failure) {
    log_->error("what was mined cannot be stored, and is mined again: {}", failure->message);
  } else {
    log_->info("what is mined can be stored again");
  }
  show_status();
}

// What is in memory belongs to the files that are open. If others have taken their place, a new process must
// start.
void Service::on_probe(const StoreProbe::Finding& finding) {
  const bool was_well = !store_trouble_;
  store_trouble_ = finding.trouble;
  state_->store.hold(store_trouble_);
  if (was_well && store_trouble_) log_->critical("nothing is written any more: {}", store_trouble_->message);
  if (!was_well && !store_trouble_) {
    log_->info("the state is as it should be again");
    tail_->look_now();
    slots_->retry();
  }
  if (finding.needs_restart) {
    restart(finding.trouble->message);
  } else if (!finding.trouble && !http_->socket_is_in_place()) {
    std::error_code unknown;
    if (std::filesystem::exists(folder_.store_path(), unknown)) {
      restart(folder_.socket_path() + ": was removed or replaced");
    } else {
      store_probe_->ask();  // the whole folder went since it was looked at
    }
  }
  show_status();
}

void Service::restart(const std::string& why) {
  restart_reason_ = Error{ErrorCode::io, "to be started anew: " + why};
  loop_.stop();
}

// Reports to systemd that all is well, or lets its watchdog notice that it is not.
void Service::tick() {
  if (const auto now = clock_.steady_now(); now >= next_tidying_) {
    next_tidying_ = now + between_tidyings;
    jobs_->tidy();
  }
  const DaemonStatus now = status();
  std::optional<std::string> trouble = lease_trouble(now);
  if (trouble && trouble != logged_lease_trouble_) log_->warn("{}", *trouble);
  logged_lease_trouble_ = std::move(trouble);
  if (now.hang) {
    log_->critical("{}", *now.hang);
  } else if (watchdog_period()) {
    notify_alive();
  }
  store_probe_->ask();
  show_status();
  ticks_.expires_after(tick_period());
  ticks_.async_wait([this](boost::system::error_code failure) {
    if (!failure) tick();
  });
}

DaemonStatus Service::status() const {
  DaemonStatus status;
  status.started_at = started_at_;
  status.log_paths = settings_.logs.paths;
  status.config_problem = config_problem_;
  status.now = clock_.now();
  status.steady_now = steady_clock::now();
  status.tail = tail_->report();
  status.worker = worker_.running();
  status.jobs_waiting = worker_.waiting();
  status.reader = readers_.running();
  status.checker = checkers_.running();
  status.lease = leases_->report();
  status.idle_lease = seconds(settings_.state.idle_lease_seconds);
  status.next_slot = slots_->next_slot();
  status.waiting_slot = slots_->waiting();
  status.iterations = jobs_->report();
  status.check_index = check_index_->report();
  status.dropped_messages = log_->dropped();
  if (store_trouble_) status.store_trouble = store_trouble_->message;
  status.tail_beat = tail_->last_beat();
  status.store_asked = store_probe_->asked_at();
  status.hang = find_hang(status, patience());
  return status;
}

void Service::show_status() {
  std::string line = status_line(status());
  if (line == shown_status_) return;
  notify_status(line);
  shown_status_ = std::move(line);
}

}  // namespace qdedup::daemon
