#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/host.h"
#include "daemon/tail.h"
#include "daemon/worker.h"
#include "logs/files.h"

namespace qdedup::daemon {

// The daemon as the place in which a handed command runs: the state is open already, following the logs makes
// way for mining, and files are those that came with the command. What reads shows that the worker gets on.
class DaemonHost final : public cli::Host {
 public:
  // The tail and the worker must outlive it.
  DaemonHost(std::shared_ptr<cli::WritableState> state, Tail& tail, Worker& worker,
             std::unique_ptr<logs::Files> files, std::string user)
      : state_(std::move(state)),
        tail_(tail),
        worker_(worker),
        files_(std::move(files)),
        user_(std::move(user)) {}

  Result<std::shared_ptr<cli::WritableState>> open_for_writing(const db::StateFolder& /*folder*/) override {
    return state_;
  }
  std::shared_ptr<void> begin_mining() override { return tail_.pause(); }
  [[nodiscard]] const logs::Files& files() const override { return *files_; }
  [[nodiscard]] std::string user() const override { return user_; }
  [[nodiscard]] db::OnActivity on_activity() override { return worker_.on_activity(); }
  void iteration_begins() override { iterated_ = false; }
  void iteration_succeeds() override { iterated_ = true; }

  // Whether the iteration of the command came to a good end; none: it made none.
  [[nodiscard]] std::optional<bool> iterated() const { return iterated_; }

 private:
  std::shared_ptr<cli::WritableState> state_;
  Tail& tail_;
  Worker& worker_;
  std::unique_ptr<logs::Files> files_;
  std::string user_;
  std::optional<bool> iterated_;
};

}  // namespace qdedup::daemon
