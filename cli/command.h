#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/writer_lease.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "logs/files.h"

namespace qdedup::cli {

// Options that every command takes, before or after its name.
struct GlobalOptions {
  std::string config;  // empty: no config file, the defaults
  std::string state;   // empty: the config's folder
  bool json = false;
  bool quiet = false;
};

// The state, open for reading.
struct ReadableState {
  db::Store store;
  db::Bank bank;
};

// What a command may make: a state where there is none, though the folder may be mistyped; and a bank.db,
// too, in the place of one that is lost.
enum class Makes { nothing, state, bank };

// What a command works with.
class CommandContext {
 public:
  // `command` is its name. The clock and the console must outlive the context.
  CommandContext(config::Settings settings, const GlobalOptions& options, std::string command,
                 const Clock& clock, Console& console);

  [[nodiscard]] const config::Settings& settings() const { return settings_; }
  [[nodiscard]] const db::StateFolder& folder() const { return folder_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] const logs::Files& files() const { return files_; }
  [[nodiscard]] Console& console() const { return console_; }
  [[nodiscard]] std::ostream& out() const { return console_.out(); }
  [[nodiscard]] std::ostream& words() const { return console_.words(); }
  [[nodiscard]] std::ostream& err() const { return console_.err(); }
  [[nodiscard]] Progress progress() const { return console_.progress(); }
  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

  // Uses a lease if a daemon works on this state. Otherwise takes the lock.
  [[nodiscard]] Result<std::shared_ptr<db::WritableState>> open_for_writing(
      Mines mines = Mines::no, Makes makes = Makes::nothing) const;
  // With a lease: what was done, for the daemon's journal. Zeros are left out.
  void note_done(std::map<std::string, std::uint64_t> counts) const;
  [[nodiscard]] Result<ReadableState> open_for_reading() const;
  [[nodiscard]] Result<db::Store> open_store_for_reading() const;

 private:
  config::Settings settings_;
  db::StateFolder folder_;
  std::string command_;
  const Clock& clock_;
  Console& console_;
  logs::Files files_;
  bool json_;
  bool quiet_;
  mutable std::weak_ptr<WriterLease> lease_;  // the last one
};

// The command chosen on the command line.
struct Command {
  std::function<Result<int>(const CommandContext&)> run;  // returns the exit code
  bool changes_state = false;
  std::vector<std::string> inputs{};  // which may be pipes
  bool goes_by_rules = false;         // reads only, and says by [text], [refine] or [contrast] what is alike
};

// Exit code of a batch that was completed although some of its input was refused.
int batch_exit_code(bool refused_some, bool strict);

// What the arguments of `qdedup` ask for.
struct CommandLine {
  std::string name;  // of the command
  Command command;
  GlobalOptions options;
  std::optional<int> exit_code;  // if there is nothing to run: help was printed, or a usage error
};

// `arguments` does not include the program's name. Prints help, version and usage errors on the console.
CommandLine parse_command_line(std::vector<std::string> arguments, Console& console);

// Runs the command, reports its error on the console, and returns the exit code.
int run_command(const Command& command, const CommandContext& context);

}  // namespace qdedup::cli
