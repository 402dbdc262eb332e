#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "db/activity.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "logs/files.h"

namespace qdedup::cli {

// The state, open for changing it, by the process that holds its lock.
struct WritableState {
  WritableState(db::StateLock held, db::StoreWriter writer, db::Bank opened)
      : lock(std::move(held)), store(std::move(writer)), bank(std::move(opened)) {}

  db::StateLock lock;
  db::StoreWriter store;
  db::Bank bank;
};

// The process that a command runs in: the tool, or the daemon that it was handed to.
class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  virtual Result<std::shared_ptr<WritableState>> open_for_writing(const db::StateFolder& folder) = 0;

  // While the answer lives, nobody else mines into the state.
  virtual std::shared_ptr<void> begin_mining() = 0;

  // The files that commands read, besides the state.
  [[nodiscard]] virtual const logs::Files& files() const = 0;

  // The name of the user who called.
  [[nodiscard]] virtual std::string user() const = 0;

  // What connections that the command opens tell of their work; empty where nobody wants to know.
  [[nodiscard]] virtual db::OnActivity on_activity() { return {}; }

  // The command begins an iteration, and brings it to a good end. A command makes one at most.
  virtual void iteration_begins() {}
  virtual void iteration_succeeds() {}
};

// Takes the lock; makes the state if there is none yet.
class ToolHost final : public Host {
 public:
  Result<std::shared_ptr<WritableState>> open_for_writing(const db::StateFolder& folder) override;
  std::shared_ptr<void> begin_mining() override { return nullptr; }
  [[nodiscard]] const logs::Files& files() const override { return files_; }
  [[nodiscard]] std::string user() const override;

 private:
  logs::DiskFiles files_;
};

// The same for the process that keeps the state open.
Result<std::shared_ptr<WritableState>> open_writable_state(const db::StateFolder& folder);

}  // namespace qdedup::cli
