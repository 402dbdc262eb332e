#pragma once

#include <memory>
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
  DaemonHost(std::shared_ptr<cli::WritableState> state, Tail& tail, std::unique_ptr<logs::Files> files)
      : state_(std::move(state)), tail_(tail), files_(std::move(files)) {}

  Result<std::shared_ptr<cli::WritableState>> open_for_writing(const db::StateFolder& /*folder*/) override {
    return state_;
  }
  std::shared_ptr<void> begin_mining() override { return tail_.pause(); }
  [[nodiscard]] const logs::Files& files() const override { return *files_; }

 private:
  std::shared_ptr<cli::WritableState> state_;
  Tail& tail_;
  std::unique_ptr<logs::Files> files_;
};

}  // namespace qdedup::daemon
