#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cli/host.h"
#include "daemon/tail.h"
#include "logs/files.h"

namespace qdedup::daemon {

// The daemon as the place in which a handed command runs: the state is open already, following the logs makes
// way for mining, and files are those that came with the command.
class DaemonHost final : public cli::Host {
 public:
  // The tail must outlive it.
  DaemonHost(std::shared_ptr<cli::WritableState> state, Tail& tail, std::unique_ptr<logs::Files> files,
             std::string user)
      : state_(std::move(state)), tail_(tail), files_(std::move(files)), user_(std::move(user)) {}

  Result<std::shared_ptr<cli::WritableState>> open_for_writing(const db::StateFolder& /*folder*/) override {
    return state_;
  }
  std::shared_ptr<void> begin_mining() override { return tail_.pause(); }
  [[nodiscard]] const logs::Files& files() const override { return *files_; }
  [[nodiscard]] std::string user() const override { return user_; }

 private:
  std::shared_ptr<cli::WritableState> state_;
  Tail& tail_;
  std::unique_ptr<logs::Files> files_;
  std::string user_;
};

}  // namespace qdedup::daemon
