#pragma once

#include <functional>
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

// Whether a command reads logs into the store, which the daemon then does not do.
enum class Mines { no, yes };

// The daemon's permission for this command to write the state (doc/design.md, "One writer"). It lasts as long
// as the connection to the daemon. When the daemon ends it, this process ends with ErrorCode::busy, whatever
// it is at: what it has not committed is not stored.
class WriterLease final : public db::WritePermission {
 public:
  // Waits for the turn of `command`; `waits_for` is called with what the daemon is at meanwhile. Null: there
  // is no daemon.
  static Result<std::shared_ptr<WriterLease>> ask(const db::StateFolder& folder, const std::string& command,
                                                  Mines mines,
                                                  const std::function<void(std::string_view)>& waits_for);
  ~WriterLease() override;

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
