#include "cli/writer_lease.h"

#include <array>
#include <cerrno>
#include <optional>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sudden_end.h"
#include "base/version.h"

namespace qdedup::cli {
namespace {

constexpr std::string_view waits_word = "waits ";
constexpr std::string_view granted_word = "granted";
constexpr std::string_view failed_word = "failed ";

// One turn. The daemon takes the lock back once the connection has ended and the lock is free.
struct Turn {
  DaemonClient connection;
  db::StateLock lock;
};

}  // namespace

Result<std::shared_ptr<WriterLease>> WriterLease::ask(
    const db::StateFolder& folder, const std::string& command, Mines mines,
    const std::function<void(std::string_view)>& waits_for) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<DaemonClient> daemon, DaemonClient::connect(folder.socket_path()));
  if (!daemon) return std::shared_ptr<WriterLease>();
  FileDescriptor given_back(::eventfd(0, EFD_CLOEXEC));
  if (!given_back.open()) return errno_error("lease of the writer", errno);
  const Json request = {{"version", program_version()}, {"command", command}, {"mines", mines == Mines::yes}};
  std::string id;
  std::string user;
  std::optional<Error> failure;
  QDEDUP_TRY(daemon->begin("/api/lease", json_text(request), [&](std::string_view line) {
    if (line.starts_with(waits_word)) waits_for(line.substr(waits_word.size()));
    if (line.starts_with(failed_word)) {
      failure = Error{ErrorCode::busy, "the daemon: " + std::string(line.substr(failed_word.size()))};
      return false;
    }
    if (!line.starts_with(granted_word)) return true;
    std::istringstream words{std::string(line.substr(granted_word.size()))};
    std::getline(words >> id >> std::ws, user);
    return false;
  }));
  if (failure) return *std::move(failure);
  return std::shared_ptr<WriterLease>(
      new WriterLease(folder, *std::move(daemon), std::move(id), std::move(user), std::move(given_back)));
}

WriterLease::WriterLease(db::StateFolder folder, DaemonClient connection, std::string id, std::string user,
                         FileDescriptor given_back)
    : folder_(std::move(folder)),
      connection_(std::move(connection)),
      id_(std::move(id)),
      user_(std::move(user)),
      given_back_(std::move(given_back)),
      watching_([this] { watch(); }) {}

WriterLease::~WriterLease() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(given_back_.number(), &one, sizeof(one));
  watching_.join();
}

void WriterLease::watch() const {
  std::array<pollfd, 2> watched{pollfd{.fd = given_back_.number(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = connection_.descriptor(), .events = POLLIN, .revents = 0}};
  while (true) {
    if (::poll(watched.data(), watched.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;  // each turn, and SQLite before each commit, still finds out whether the lease has ended
    }
    if (watched[0].revents != 0) return;
    if (!connection_.goes_on()) end_at_once("qdedup", db::lease_ended, ErrorCode::busy);
  }
}

// Without the journal's line, the work is done all the same.
void WriterLease::note(const std::map<std::string, std::uint64_t>& counts) const {
  Result<std::optional<DaemonClient>> daemon = DaemonClient::connect(folder_.socket_path());
  if (!daemon.ok() || !daemon->has_value()) return;
  const Json note = {{"lease", id_}, {"counts", counts}};
  (void)(*daemon)->post("/api/lease/note", json_text(note));
}

Result<std::shared_ptr<void>> WriterLease::take_turn() {
  if (std::shared_ptr<void> present = turn_.lock()) return present;
  QDEDUP_ASSIGN_OR_RETURN(std::optional<DaemonClient> daemon, DaemonClient::connect(folder_.socket_path()));
  if (!daemon) return Error{ErrorCode::busy, std::string(db::lease_ended)};
  const Json request = {{"lease", id_}};
  QDEDUP_TRY(daemon->begin("/api/lease/turn", json_text(request),
                           [](std::string_view line) { return line != granted_word; }));
  QDEDUP_ASSIGN_OR_RETURN(db::StateLock lock, db::StateLock::acquire(folder_));
  const auto turn = std::make_shared<Turn>(Turn{*std::move(daemon), std::move(lock)});
  turn_ = turn;
  return std::shared_ptr<void>(turn);
}

}  // namespace qdedup::cli
