#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/host.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::cli {

// Options that every command takes, before or behind its name.
struct GlobalOptions {
  std::string config;  // empty: no config file, the defaults
  std::string state;   // empty: the config's folder
  bool json = false;
  bool quiet = false;
};

// The state, open for looking at it.
struct ReadableState {
  db::Store store;
  db::Bank bank;
};

// What a command works with.
class Session {
 public:
  // The clock, the console and the host must outlive the session.
  Session(config::Settings settings, const GlobalOptions& options, const Clock& clock, Console& console,
          Host& host);

  [[nodiscard]] const config::Settings& settings() const { return settings_; }
  [[nodiscard]] const db::StateFolder& folder() const { return folder_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] Host& host() const { return host_; }
  [[nodiscard]] const logs::Files& files() const { return host_.files(); }
  [[nodiscard]] Console& console() const { return console_; }
  [[nodiscard]] std::ostream& out() const { return console_.out(); }
  [[nodiscard]] std::ostream& err() const { return console_.err(); }
  [[nodiscard]] Progress progress() const { return console_.progress(); }
  // Who called the command.
  [[nodiscard]] std::string user() const { return host_.user(); }
  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

  [[nodiscard]] Result<std::shared_ptr<WritableState>> open_for_writing() const {
    return host_.open_for_writing(folder_);
  }
  [[nodiscard]] Result<ReadableState> open_for_reading() const;
  [[nodiscard]] Result<db::Store> open_store_for_reading() const;

 private:
  config::Settings settings_;
  db::StateFolder folder_;
  const Clock& clock_;
  Console& console_;
  Host& host_;
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
  // What is left to do here, by the one who called, when `run` was done here or by the daemon, and answered
  // 0.
  std::function<Result<int>(const Session&)> afterwards{};
};

// Exit code of a batch that was done, with some of its input refused.
int batch_exit_code(bool refused_some, bool strict);

}  // namespace qdedup::cli
