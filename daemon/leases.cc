#include "daemon/leases.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/sudden_end.h"
#include "base/user_name.h"
#include "base/version.h"

namespace qdedup::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

// The next turn may be requested before the end of the last one is noticed.
constexpr std::size_t max_turns = 2;
constexpr std::size_t max_request_bytes = 4096;
constexpr seconds between_signs_of_life{2};
constexpr milliseconds between_lock_tries{20};  // when taking the lock back
constexpr seconds after_lock_failure{1};
constexpr int max_tries_without_memory = 500;  // ten seconds of them

std::string holder_name(const std::string& user, const Peer& peer) {
  return user + " (process " + std::to_string(peer.process) + ")";
}

// Asks the system's user database, which may take long: neither on the loop nor under a lock.
std::string name_of(const Peer& peer) { return holder_name(unix_user(peer.user), peer); }

std::string nothing_is_written(const Error& why) { return "nothing is written any more: " + why.message; }

// Of letters a-z and `between`, as it is logged.
bool is_plain_name(std::string_view name, char between) {
  return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [between](char character) {
    return (character >= 'a' && character <= 'z') || character == between;
  });
}

// "inserted 12, rows 13".
std::string noted_text(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
  return text.empty() ? "nothing to do" : text;
}

}  // namespace

std::optional<LeaseRequest> parse_lease_request(std::string_view body) {
  const nlohmann::json json = parse_json(body);
  const std::string* version = string_at(json, "version");
  const std::string* command = string_at(json, "command");
  const auto mines = json.find("mines");
  if (version == nullptr || command == nullptr || !is_plain_name(*command, '-')) return std::nullopt;
  if (mines == json.end() || !mines->is_boolean()) return std::nullopt;
  return LeaseRequest{*version, *command, mines->get<bool>()};
}

std::optional<LeaseNote> parse_lease_note(std::string_view body) {
  constexpr std::size_t max_counts = 16;
  const nlohmann::json json = parse_json(body);
  const std::string* lease = string_at(json, "lease");
  const auto counts = json.find("counts");
  if (lease == nullptr || counts == json.end() || !counts->is_object() || counts->size() > max_counts)
    return std::nullopt;
  LeaseNote note{*lease, {}};
  for (const auto& [name, count] : counts->items()) {
    if (!is_plain_name(name, '_') || !count.is_number_unsigned()) return std::nullopt;
    note.counts.emplace(name, count.get<std::uint64_t>());
  }
  return note;
}

void Leases::add_routes(Router& router) {
  using Answer = void (Leases::*)(const Request&, const Responder&);
  const auto post = [&](const char* path, Answer answer, bool is_last) {
    router.post(path,
                [this, answer](const Request& request, const Responder& responder) {
                  if (request.peer.kind != Peer::Kind::unix_socket) {
                    return responder->send(error_response(403, "leases are given on the unix socket only"));
                  }
                  (this->*answer)(request, responder);
                },
                {.body_bytes = max_request_bytes, .json = true, .is_last = is_last});
  };
  post("/api/lease", &Leases::ask, false);
  post("/api/lease/turn", &Leases::ask_turn, true);
  post("/api/lease/note", &Leases::note, true);
  post("/api/lease/end", &Leases::end, true);
}

void Leases::ask(const Request& request, const Responder& responder) {
  const std::optional<LeaseRequest> asked = parse_lease_request(request.body);
  if (!asked) return responder->send(error_response(400, "not a request for a lease"));
  if (asked->version != program_version()) {
    return responder->send(error_response(409, "the daemon is qdedup " + program_version() +
                                                   " and this is another version; restart the daemon"));
  }
  if (const Status held = context_.state->store.held(); !held.ok()) {
    return responder->send(error_response(503, nothing_is_written(held.error())));
  }
  if (!open_.admit(request, responder)) return;
  begin_lines(responder);
  const auto lease = std::make_shared<Lease>(Lease{.id = std::to_string(++last_id_),
                                                   .mines = asked->mines,
                                                   .client = request.peer,
                                                   .connection = responder,
                                                   .shown = {.command = asked->command}});
  responder->on_gone([this, asker = std::weak_ptr(lease)] {
    if (const auto gone = asker.lock()) end_lease(*gone, End::client_went);
  });
  if (const auto at_work = context_.worker.running()) responder->write("waits " + at_work->job);
  post_while_there(context_.worker, responder,
                   {asked->command, [this, lease](Heartbeat& heartbeat) { serve(lease, heartbeat); },
                    [this, lease](const Error& error) { fail(*lease, error); }},
                   [this, command = asked->command, client = request.peer] {
                     say_given_up(command, holder_name("user " + std::to_string(client.user), client));
                   });
}

void Leases::ask_turn(const Request& request, const Responder& responder) {
  const nlohmann::json body = parse_json(request.body);
  const std::string* id = string_at(body, "lease");
  if (id == nullptr) return responder->send(error_response(400, "not a request for a turn"));
  if (const Status held = context_.state->store.held(); !held.ok()) {
    return responder->send(error_response(503, nothing_is_written(held.error())));
  }
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Lease> lease = present_;
  if (!lease || lease->id != *id || lease->end != End::none || lease->turns.size() >= max_turns) {
    return responder->send(error_response(409, std::string(db::lease_ended)));
  }
  if (lease->client != request.peer) {
    return responder->send(error_response(403, "this is the lease of another process"));
  }
  lock.unlock();
  begin_lines(responder);
  responder->on_gone([this, of = std::weak_ptr(lease), gone = std::weak_ptr(responder)] {
    const std::scoped_lock ending(mutex_);
    if (const auto its_lease = of.lock()) std::erase(its_lease->turns, gone.lock());
    changed_.notify_all();
  });
  lock.lock();
  if (lease->end == End::none) lease->turns.push_back(responder);  // else it failed meanwhile
  changed_.notify_all();
}

void Leases::note(const Request& request, const Responder& responder) {
  const std::optional<LeaseNote> note = parse_lease_note(request.body);
  if (!note) return responder->send(error_response(400, "not a note of what was done"));
  std::unique_lock lock(mutex_);
  const bool is_its_own = present_ && present_->id == note->lease && present_->client == request.peer;
  if (is_its_own) present_->noted = noted_text(note->counts);
  lock.unlock();
  if (!is_its_own) return responder->send(error_response(409, std::string(db::lease_ended)));
  responder->send(text_response(200, "noted\n"));
}

void Leases::end(const Request& request, const Responder& responder) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Lease> lease = present_;
  lock.unlock();
  if (!lease) return responder->send(error_response(404, "no command has the lease of the writer"));
  end_lease(*lease, End::by_command, request.peer);
  responder->send(text_response(200, "ended: " + lease->shown.command + " of " + lease->shown.holder + '\n'));
}

void Leases::end_lease(Lease& lease, End how, const Peer& by) {
  const std::scoped_lock lock(mutex_);
  if (lease.end != End::none) return;
  lease.end = how;
  lease.ended_by = by;
  lease.connection.reset();
  lease.turns.clear();
  changed_.notify_all();
}

void Leases::stop() {
  timer_.cancel();
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  const std::shared_ptr<Lease> lease = present_;
  lock.unlock();
  if (lease) end_lease(*lease, End::daemon_stops);
}

std::optional<Leases::Report> Leases::report() const {
  const std::scoped_lock lock(mutex_);
  return present_ ? std::optional(present_->shown) : std::nullopt;
}

// The client is sent regular signs that the daemon is alive.
void Leases::begin_lines(const Responder& responder) {
  responder->begin_stream();
  living_.emplace_back(responder);
  if (living_.size() == 1) say_alive();
}

void Leases::say_alive() {
  std::erase_if(living_, [](const auto& each) { return each.expired(); });
  for (const auto& each : living_) {
    if (const Responder living = each.lock()) living->offer("alive");
  }
  if (living_.empty()) return;
  timer_.expires_after(between_signs_of_life);
  timer_.async_wait([this](boost::system::error_code failure) {
    if (!failure) say_alive();
  });
}

void Leases::serve(const std::shared_ptr<Lease>& lease, Heartbeat& heartbeat) {
  const std::string user = unix_user(lease->client.user);
  const std::string& command = lease->shown.command;
  const std::string holder = holder_name(user, lease->client);
  const auto index_paused = context_.index.pause();
  const auto is_still_wanted = [&] {
    heartbeat.beat();
    const std::scoped_lock asking(mutex_);
    return is_wanted(*lease);
  };
  const std::shared_ptr<void> mining_paused = lease->mines ? context_.tail.pause(is_still_wanted) : nullptr;
  std::unique_lock lock(mutex_);
  if (!is_wanted(*lease)) {
    lock.unlock();
    return say_given_up(command, holder);
  }
  lease->shown.holder = holder;
  lease->shown.since = lease->shown.moved = steady_clock::now();
  present_ = lease;
  lease->connection->write("granted " + lease->id + ' ' + user);
  lock.unlock();
  context_.log->info("{} of {} has the lease of the writer", command, holder);
  while (await_turn(*lease, heartbeat)) give_turn(*lease, heartbeat);
  lock.lock();
  present_.reset();
  lock.unlock();
  context_.log->info("{} of {} has given the lease back: {}", command, holder, end_of(*lease));
  context_.ended();
}

// The command is told, unless it has the lease already: then it only notices that this has ended.
void Leases::fail(Lease& lease, const Error& error) {
  std::unique_lock lock(mutex_);
  const Responder connection = lease.connection;
  present_.reset();
  lock.unlock();
  end_lease(lease, End::failed);
  context_.ended();
  if (connection) connection->offer("failed " + error.message);
  context_.log->error("the lease of {} of {} failed: {}", lease.shown.command, name_of(lease.client),
                      error.message);
}

bool Leases::is_wanted(const Lease& lease) const { return lease.end == End::none && !stopping_; }

void Leases::say_given_up(const std::string& command, const std::string& holder) {
  context_.log->info("{} of {} was given up before its turn came", command, holder);
}

std::string Leases::end_of(const Lease& lease) {
  std::string how = "its process is done with it";
  if (lease.end == End::by_command) how = "ended by " + name_of(lease.ended_by);
  if (lease.end == End::daemon_stops) how = "the daemon stops";
  return how + (lease.noted.empty() ? "" : "; " + lease.noted);
}

// Waiting for a client does not count as a hang; idle leases are reported separately.
bool Leases::await_turn(Lease& lease, Heartbeat& heartbeat) {
  std::unique_lock lock(mutex_);
  while (lease.end == End::none && lease.turns.empty()) {
    changed_.wait_for(lock, seconds(1));
    heartbeat.beat();
  }
  return lease.end == End::none;
}

// Once granted, the client reads nothing more, so further signs of life would fill the socket.
void Leases::give_turn(Lease& lease, Heartbeat& heartbeat) {
  std::shared_ptr<void> aside = context_.state->store.stand_aside();
  std::unique_lock lock(mutex_);
  lease.shown.moved = steady_clock::now();
  if (lease.turns.empty()) return;
  const std::weak_ptr turn = lease.turns.front();
  context_.state->lock.reset();
  std::exception_ptr failure;
  try {
    lease.turns.front()->write("granted");
    boost::asio::post(context_.loop, [this, turn] {
      std::erase_if(living_, [granted = turn.lock()](const auto& each) { return each.lock() == granted; });
    });
  } catch (const std::exception&) {
    failure = std::current_exception();
    lease.turns.clear();
  }
  while (!turn.expired()) {
    changed_.wait_for(lock, seconds(1));
    heartbeat.beat();
  }
  lease.shown.moved = steady_clock::now();
  lock.unlock();
  if (take_lock_back(lease, heartbeat)) {
    aside.reset();
    open_store();
  } else {
    aside_ = std::move(aside);
  }
  if (failure) std::rethrow_exception(failure);
}

// The last connection that closes settles the log, wherever its file is by then, but only if it may write.
// What keeps the store from being opened is reported by whatever writes next.
void Leases::open_store() {
  static_cast<void>(context_.state->store.write([](db::Store&) { return Status(); }));
}

// The client closed its connection, was cut off, or died; its lock is released at the same time or a moment
// later.
bool Leases::take_lock_back(Lease& lease, Heartbeat& heartbeat) {
  int without_memory = 0;
  while (!try_lock(lease, without_memory)) {
    heartbeat.beat();
    std::unique_lock lock(mutex_);
    const milliseconds pause = lease.shown.lock_failure ? after_lock_failure : between_lock_tries;
    if (changed_.wait_for(lock, pause, [this] { return stopping_; })) return false;
  }
  return true;
}

// Never throws, since without the lock nobody here may write. Where memory does not come back, the daemon
// ends, as clients would wait forever.
bool Leases::try_lock(Lease& lease, int& without_memory) {
  try {
    Result<db::StateLock> taken = db::StateLock::acquire(context_.folder);
    without_memory = 0;
    const std::scoped_lock lock(mutex_);
    if (taken.ok()) {
      context_.state->lock.emplace(*std::move(taken));
      lease.shown.lacks_lock.reset();
      lease.shown.lock_failure.reset();
      return true;
    }
    if (!lease.shown.lacks_lock) lease.shown.lacks_lock = steady_clock::now();
    const bool is_held = taken.error().code == ErrorCode::busy;
    lease.shown.lock_failure = is_held ? std::nullopt : std::optional(taken.error());
  } catch (const std::exception& exception) {
    const char* const shortage = shortage_of(exception);
    if (shortage != nullptr && ++without_memory == max_tries_without_memory)
      end_at_once("qdedupd", shortage, ErrorCode::busy);
  }
  return false;
}

}  // namespace qdedup::daemon
