#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/progress_display.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "logs/files.h"

namespace qdedup::cli {

// Options that every command takes, before or behind its name.
struct GlobalOptions {
  std::string config;  // empty: no config file, the defaults
  std::string state;   // empty: the config's folder
  bool json = false;
  bool quiet = false;
};

// The state, open for changing it.
struct WritableState {
  db::StateLock lock;
  db::Store store;
  db::Bank bank;
};

// The state, open for looking at it.
struct ReadableState {
  db::Store store;
  db::Bank bank;
};

// What a command works with.
class Session {
 public:
  static Result<Session> begin(const GlobalOptions& options);

  [[nodiscard]] const config::Settings& settings() const { return settings_; }
  [[nodiscard]] const db::StateFolder& folder() const { return folder_; }
  [[nodiscard]] const Clock& clock() const { return *clock_; }
  [[nodiscard]] const logs::Files& files() const { return *files_; }
  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

  // Takes the lock; makes the state if there is none yet.
  [[nodiscard]] Result<WritableState> open_for_writing() const;
  [[nodiscard]] Result<ReadableState> open_for_reading() const;

 private:
  Session(config::Settings settings, const GlobalOptions& options);

  config::Settings settings_;
  db::StateFolder folder_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<logs::Files> files_;
  bool json_;
  bool quiet_;
};

// A command that the command line chose: answers the program's exit code, or what went wrong.
using Command = std::function<Result<int>(const Session&)>;

// Exit code of a batch that was done, with some of its input refused.
int batch_exit_code(bool refused_some, bool strict);

}  // namespace qdedup::cli
