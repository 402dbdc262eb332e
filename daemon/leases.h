#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <spdlog/logger.h>

#include "base/error.h"
#include "daemon/check_index.h"
#include "daemon/open_requests.h"
#include "daemon/router.h"
#include "daemon/tail.h"
#include "daemon/worker.h"
#include "db/state_folder.h"
#include "db/store_writer.h"

namespace qdedup::daemon {

// A command's request for a lease: {"version":…,"command":…,"mines":…}.
struct LeaseRequest {
  std::string version;
  std::string command;  // letters a-z and hyphens, as it is logged
  bool mines = false;
};

// None if `body` is no such request.
std::optional<LeaseRequest> parse_lease_request(std::string_view body);

// What a command says that it has done: {"lease":…,"counts":{"inserted":12,…}}.
struct LeaseNote {
  std::string lease;
  std::map<std::string, std::uint64_t> counts;  // at most 16; names of letters a-z and "_"
};

// None if `body` is no such note.
std::optional<LeaseNote> parse_lease_note(std::string_view body);

// Lets commands change the state, one after another (doc/design.md, "One writer"). A lease is a job of the
// worker, which the context must outlive, and lasts as long as its client's connection. For each turn the
// daemon stands aside and releases the state's lock.
class Leases {
 public:
  // The present lease.
  struct Report {
    using Time = std::chrono::steady_clock::time_point;

    std::string command;
    std::string holder{};  // "ann (process 7)"
    Time since{};
    Time moved{};                         // when its last turn began or ended
    std::optional<Time> lacks_lock{};     // since when the lease has been over except for the state's lock
    std::optional<Error> lock_failure{};  // why the lock cannot be taken back; none: a process holds it
  };

  struct Context {
    boost::asio::io_context& loop;
    Worker& worker;
    Tail& tail;
    CheckIndex& index;  // not rebuilt during a lease
    db::StateFolder folder;
    std::shared_ptr<db::WritableState> state;
    std::shared_ptr<spdlog::logger> log;
    std::function<void()> ended;  // called on the worker's thread after each lease
  };

  explicit Leases(Context context) : context_(std::move(context)), timer_(context_.loop) {}

  // POST /api/lease, /api/lease/turn, /api/lease/note and /api/lease/end, on the unix socket only.
  void add_routes(Router& router);

  // Gives no further leases, and ends the present one. On the loop's thread.
  void stop();

  // Thread-safe.
  [[nodiscard]] std::optional<Report> report() const;

 private:
  enum class End { none, client_went, by_command, daemon_stops, failed };

  struct Lease {
    std::string id;
    bool mines = false;
    Peer client;
    Responder connection;            // closed when the lease is destroyed
    std::vector<Responder> turns{};  // requested and not over yet; the first is next
    Report shown{};
    std::string noted{};  // what it has done, by its own account
    End end = End::none;
    Peer ended_by{};
  };

  void ask(const Request& request, const Responder& responder);
  void ask_turn(const Request& request, const Responder& responder);
  void note(const Request& request, const Responder& responder);
  void end(const Request& request, const Responder& responder);
  void begin_lines(const Responder& responder);
  void say_alive();
  void end_lease(Lease& lease, End how, const Peer& by = {});
  static std::string end_of(const Lease& lease);
  void say_given_up(const std::string& command, const std::string& holder);

  // These run on the worker's thread.
  void serve(const std::shared_ptr<Lease>& lease, Heartbeat& heartbeat);
  void fail(Lease& lease, const Error& error);
  bool await_turn(Lease& lease, Heartbeat& heartbeat);
  void give_turn(Lease& lease, Heartbeat& heartbeat);
  bool try_lock(Lease& lease, int& without_memory);
  void open_store();
  bool take_lock_back(Lease& lease, Heartbeat& heartbeat);  // false: the daemon stops without the lock
  bool is_wanted(const Lease& lease) const;

  Context context_;
  boost::asio::steady_timer timer_;
  std::vector<std::weak_ptr<PendingResponse>> living_;
  OpenRequests open_{command_limits};
  std::uint64_t last_id_ = 0;
  std::shared_ptr<void> aside_;  // held if the daemon stops without the lock

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;  // changed on the loop's thread
  std::shared_ptr<Lease> present_;
};

}  // namespace qdedup::daemon
