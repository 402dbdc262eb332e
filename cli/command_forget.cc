#include <algorithm>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/containers.h"
#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/mined_logs.h"
#include "db/evidence.h"
#include "db/named_logs.h"

namespace qdedup::cli {
namespace {

struct ForgetOptions {
  std::vector<std::string> logs;
  bool undo = false;
  bool trial = false;
};

db::Decider caller(const db::WritableState& state, const CommandContext& context) {
  return {state.user, timestamp(context.clock().now())};
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

// As the store names the logs: by their absolute paths, unless they were named otherwise by a glob, or long
// ago.
Result<std::vector<std::string>> stored_names(db::Store& store, const std::vector<std::string>& named) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::LogRecord> known, db::Evidence(store).logs());
  std::vector<std::string> names;
  for (const std::string& name : named) {
    const bool is_stored = std::ranges::find(known, name, &db::LogRecord::path) != known.end();
    names.push_back(is_stored ? name : path_everywhere(name));
  }
  sort_unique(names);
  return names;
}

void print_forgotten(const CommandContext& context, const db::ForgetReport& report, bool trial) {
  for (const db::ForgetReport::Kept& kept : report.kept) {
    context.err() << "qdedup: " << Verbatim{escaped(kept.path)}
                  << ": an earlier log of this name stays, as evidence of it "
                  << "was consumed (iteration " << joined(kept.iterations) << ")\n";
  }
  if (trial) context.words() << "dry run, nothing is changed\n";
  for (const db::ForgottenLog& log : report.logs) {
    context.words() << Verbatim{escaped(log.path)} << ": " << counted(log.lines, "line")
                    << (trial ? " would be forgotten (" : " forgotten (") << grouped(log.selected)
                    << " selected, " << grouped(log.rejected) << " rejected), mined from "
                    << escaped(log.first_seen_at) << " to " << escaped(log.last_mined_at)
                    << (trial ? "\n" : "; it is left out from now on\n");
  }
}

Json forgotten_json(const db::ForgetReport& report, bool trial) {
  Json logs = Json::array();
  for (const db::ForgottenLog& log : report.logs) {
    logs.push_back({{"path", path_text(log.path)},
                    {"lines", log.lines},
                    {"selected", log.selected},
                    {"rejected", log.rejected},
                    {"first_seen_at", log.first_seen_at},
                    {"last_mined_at", log.last_mined_at}});
  }
  Json kept = Json::array();
  for (const db::ForgetReport::Kept& log : report.kept)
    kept.push_back({{"path", path_text(log.path)}, {"iterations", log.iterations}});
  return {{"dry_run", trial}, {"forgotten", std::move(logs)}, {"kept", std::move(kept)}};
}

void note_forgotten(const CommandContext& context, const db::ForgetReport& report) {
  std::uint64_t lines = 0;
  for (const db::ForgottenLog& log : report.logs) lines += log.lines;
  context.note_done({{"logs", report.logs.size()}, {"lines", lines}});
}

Result<int> forget(const ForgetOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::yes));
  const auto forgotten = [&](db::Store& store) -> Result<db::ForgetReport> {
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> names, stored_names(store, options.logs));
    return db::NamedLogs(store).forget(names, caller(*state, context), options.trial);
  };
  QDEDUP_ASSIGN_OR_RETURN(const db::ForgetReport report, state->store.write(forgotten));
  if (!options.trial) note_forgotten(context, report);
  if (context.json()) {
    print_json(context.out(), forgotten_json(report, options.trial));
  } else {
    print_forgotten(context, report, options.trial);
  }
  return 0;
}

Result<int> take_back(const ForgetOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::yes));
  const auto taken_back = [&](db::Store& store) -> Result<std::uint64_t> {
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> names, stored_names(store, options.logs));
    return db::NamedLogs(store).take_back(names);
  };
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t logs, state->store.write(taken_back));
  context.note_done({{"logs_taken_back", logs}});
  if (context.json()) {
    print_json(context.out(), {{"taken_back", logs}});
  } else {
    context.words() << counted(logs, "log") << " taken back: mined from the first line when seen next\n";
  }
  return 0;
}

struct AcknowledgeOptions {
  std::vector<std::string> logs;
  bool all = false;
};

Result<int> acknowledge(const AcknowledgeOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::yes));
  const auto acknowledged = [&](db::Store& store) -> Result<std::vector<std::string>> {
    db::NamedLogs logs(store);
    if (options.all) return logs.acknowledge(std::nullopt, caller(*state, context));
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> names, stored_names(store, options.logs));
    return logs.acknowledge(names, caller(*state, context));
  };
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> logs, state->store.write(acknowledged));
  context.note_done({{"logs", logs.size()}});
  if (context.json()) {
    print_json(context.out(), {{"acknowledged", path_texts(logs)}});
    return 0;
  }
  for (const std::string& path : logs) context.words() << Verbatim{escaped(path)} << ": acknowledged\n";
  if (logs.empty()) context.words() << "nothing to acknowledge\n";
  return 0;
}

}  // namespace

void add_forget_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ForgetOptions>();
  CLI::App* command = app.add_subcommand(
      "forget",
      "Take wrong logs out, with what was mined of them, and leave them out from now on; exits with 65 and "
      "changes nothing where an iteration consumed some of it. Where one log replaced another under the same "
      "name, both go");
  command->add_option("LOG", options->logs, "Logs, as status --logs names them")->required();
  CLI::Option* trial = command->add_flag("--dry-run", options->trial, "Only show what would be taken out");
  command->add_flag("--undo", options->undo, "Take forgotten logs back: they are mined as if they were new")
      ->excludes(trial);
  command->callback([options, &chosen] {
    sort_unique(options->logs);
    chosen = {with_options(options, options->undo ? take_back : forget), true};
  });
}

void add_acknowledge_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<AcknowledgeOptions>();
  CLI::App* command = app.add_subcommand(
      "acknowledge",
      "Note that the possible losses of logs, and lines possibly counted twice, were dealt with: status and "
      "metrics name them no longer, until there are new ones");
  CLI::Option* logs = command->add_option("LOG", options->logs, "Logs, as status --logs names them");
  command->add_flag("--all", options->all, "All logs")->excludes(logs);
  command->callback([options, &chosen] {
    if (!options->all && options->logs.empty()) throw CLI::RequiredError("LOG, or --all");
    chosen = {with_options(options, acknowledge), true};
  });
}

}  // namespace qdedup::cli
