#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "cli/daemon_client.h"
#include "db/connection.h"
#include "db/state_folder.h"

namespace qdedup::cli {

// Whether a command reads logs into the store; the daemon stops doing so meanwhile.
enum class Mines { no, yes };

// The daemon's permission for this command to write the state (doc/design.md, "One writer"). It lasts as long
// as the connection to the daemon. When the daemon ends it, this process exits at once with ErrorCode::busy,
// and whatever it has not committed is not stored.
class WriterLease final : public db::WritePermission {
 public:
  // Waits until it is the turn of `command`; meanwhile calls `waits_for` with what the daemon is doing. Null
  // if there is no daemon.
  static Result<std::shared_ptr<WriterLease>> ask(const db::StateFolder& folder, const std::string& command,
                                                  Mines mines,
                                                  const std::function<void(std::string_view)>& waits_for);
  ~WriterLease() override;

  // Tells the daemon what was done, for its journal; at most 16 counts, with names of letters a-z and "_".
  void note(const std::map<std::string, std::uint64_t>& counts) const;

  Result<std::shared_ptr<void>> take_turn() override;
  [[nodiscard]] std::string user() const override { return user_; }
  [[nodiscard]] bool stands() override { return connection_.goes_on(); }

 private:
  WriterLease(db::StateFolder folder, DaemonClient connection, std::string id, std::string user,
              FileDescriptor given_back);

  void watch() const;

  db::StateFolder folder_;
  DaemonClient connection_;
  std::string id_;
  std::string user_;
  std::weak_ptr<void> turn_;   // the present one
  FileDescriptor given_back_;  // an eventfd
  std::thread watching_;
};

}  // namespace qdedup::cli
