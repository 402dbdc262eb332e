#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/console.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "logs/files.h"

namespace qdedup::cli {

// Options that every command takes, before or behind its name.
struct GlobalOptions {
  std::string config;  // empty: no config file, the defaults
  std::string state;   // empty: the config's folder
  bool json = false;
  bool quiet = false;
};

// The state, open for changing it, by the process that holds its lock.
struct WritableState {
  db::StateLock lock;
  db::StoreWriter store;
  db::Bank bank;
};

// Takes the lock; makes the state if there is none yet.
Result<std::shared_ptr<WritableState>> open_writable_state(const db::StateFolder& folder);

// The state, open for looking at it.
struct ReadableState {
  db::Store store;
  db::Bank bank;
};

// What a command works with.
class Session {
 public:
  using OpenState = std::function<Result<std::shared_ptr<WritableState>>(const db::StateFolder&)>;

  // The clock, the files and the console must outlive the session.
  Session(config::Settings settings, const GlobalOptions& options, const Clock& clock,
          const logs::Files& files, Console& console, OpenState open_state);

  [[nodiscard]] const config::Settings& settings() const { return settings_; }
  [[nodiscard]] const db::StateFolder& folder() const { return folder_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] const logs::Files& files() const { return files_; }
  [[nodiscard]] Console& console() const { return console_; }
  [[nodiscard]] std::ostream& out() const { return console_.out(); }
  [[nodiscard]] std::ostream& err() const { return console_.err(); }
  [[nodiscard]] Progress progress() const { return console_.progress(); }
  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

  [[nodiscard]] Result<std::shared_ptr<WritableState>> open_for_writing() const;
  [[nodiscard]] Result<ReadableState> open_for_reading() const;

 private:
  config::Settings settings_;
  db::StateFolder folder_;
  const Clock& clock_;
  const logs::Files& files_;
  Console& console_;
  OpenState open_state_;
  bool json_;
  bool quiet_;
};

// The settings that the options name: of the config file, or the defaults, with the state's folder.
Result<config::Settings> settings_of(const GlobalOptions& options);

// A command that the command line chose.
struct Command {
  std::function<Result<int>(const Session&)> run;  // answers the exit code, or what went wrong
  bool changes_state = false;
  std::vector<std::string>
      inputs;  // files that it reads besides the state, as spelled; "-" for standard input
};

// Exit code of a batch that was done, with some of its input refused.
int batch_exit_code(bool refused_some, bool strict);

}  // namespace qdedup::cli
