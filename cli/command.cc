#include "cli/command.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/escaped.h"
#include "base/parse_number.h"
#include "base/suggestion.h"
#include "base/user_name.h"
#include "base/version.h"
#include "cli/commands.h"
#include "db/database.h"

namespace qdedup::cli {
namespace {

// An option with its value alone, as the man page and the completions take it from the help: what it goes
// with is said where somebody gets it wrong.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string form = CLI::Formatter::make_option_opts(option);
    return form.substr(0, std::min(form.find(" Needs:"), form.find(" Excludes:")));
  }
};

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("--config", options.config, "Config file (TOML); without it the defaults hold")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_option("--state", options.state, "Folder of the state (default: ./qdedup-data, or the config's)")
      ->type_name("DIR")
      ->check(not_empty());
  app.add_flag("--json", options.json, "Print results as JSON");
  app.add_flag("--quiet", options.quiet, "No progress, and only errors on standard error");
  app.set_version_flag("--version", "qdedup " + program_version());
}

void add_commands(CLI::App& app, Command& chosen, GlobalOptions& options) {
  add_import_command(app, chosen);
  add_mine_command(app, chosen);
  add_iterate_command(app, chosen);
  add_run_command(app, chosen);
  add_sweep_command(app, chosen);
  add_near_command(app, chosen);
  add_simhash_command(app, chosen);
  add_hamming_command(app, chosen);
  add_spark_command(app, chosen);
  add_text_command(app, chosen);
  add_iterations_command(app, chosen);
  add_export_command(app, chosen);
  add_diff_command(app, chosen);
  add_review_command(app, chosen);
  add_applied_command(app, chosen);
  add_reviewer_command(app, chosen);
  add_explain_command(app, chosen);
  add_similar_command(app, chosen);
  add_check_command(app, chosen);
  add_expire_command(app, chosen);
  add_evaluate_command(app, chosen);
  add_learn_command(app, chosen);
  add_features_command(app, chosen);
  add_status_command(app, chosen);
  add_forget_command(app, chosen);
  add_acknowledge_command(app, chosen);
  add_lease_command(app, chosen);
  add_verify_command(app, chosen);
  add_backup_command(app, chosen);
  add_config_command(app, chosen, options);
}

// The help of a command, and of those below it, in Chinese.
void translate_help(CLI::App& app, const Translation& chinese) {
  app.description(chinese.term(app.get_description()));
  app.group(chinese.term(app.get_group()));
  for (CLI::Option* option : app.get_options()) {
    option->description(chinese.term(option->get_description()));
    option->group(chinese.term(option->get_group()));
  }
  for (const char* label : {"Usage", "OPTIONS", "SUBCOMMAND", "Positionals", "REQUIRED"})
    app.get_formatter()->label(label, chinese.term(label));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    translate_help(*command, chinese);
}

// The command that the command line names, as far as it names one: "review approve", and those above it.
struct NamedCommand {
  std::string name = "qdedup";
  std::vector<const CLI::App*> path;
};

NamedCommand named_command(const CLI::App& app) {
  NamedCommand named{.path = {&app}};
  while (!named.path.back()->get_subcommands().empty()) {
    named.path.push_back(named.path.back()->get_subcommands().front());
    named.name += " " + named.path.back()->get_name();
  }
  return named;
}

std::vector<std::string> options_of(const NamedCommand& command) {
  std::vector<std::string> names;
  for (const CLI::App* app : command.path) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// What is wrong with the command line: most of all, a word that nothing knows.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const NamedCommand command = named_command(app);
  const std::vector<std::string> unknown = app.remaining(true);
  const auto option = std::ranges::find_if(unknown, [](const auto& word) { return word.starts_with("-"); });
  if (option != unknown.end()) {
    const std::string name = option->substr(0, option->find('='));
    return "unknown option \"" + name + "\"" + suggestion(name, options_of(command)) + "; `" + command.name +
           " --help` lists the options";
  }
  const std::vector<std::string> commands = commands_of(*command.path.back());
  if (!unknown.empty() && !commands.empty()) {
    return "unknown command \"" + unknown.front() + "\"" + suggestion(unknown.front(), commands) + "; `" +
           command.name + " --help` lists the commands";
  }
  if (!unknown.empty()) return "unexpected \"" + unknown.front() + "\"; see `" + command.name + " --help`";
  return std::string(error.what()) + "; see `" + command.name + " --help`";
}

// What the command exits with, if all that it printed was written.
int written(Console& console, int exit_code) {
  console.out().flush();
  if (console.out()) return exit_code;
  console.report({ErrorCode::io, "standard output: cannot be written"});
  return static_cast<int>(ErrorCode::io);
}

}  // namespace

CLI::Validator not_empty() {
  return {[](const std::string& value) { return std::string(value.empty() ? "must not be empty" : ""); }, ""};
}

CLI::Validator whole_number(std::int64_t min, std::int64_t max) {
  return {[min, max](const std::string& text) -> std::string {
            const auto number = parse_number<std::int64_t>(text);
            const bool leading_zero = text.size() > 1 && text.front() == '0';
            if (number && !leading_zero && *number >= min && *number <= max) return "";
            return "\"" + text + "\" is not a whole number from " + std::to_string(min) + " to " +
                   std::to_string(max);
          },
          "N"};
}

CLI::Validator whole_number_or(const std::string& word, std::int64_t min, std::int64_t max) {
  return {[word, number = whole_number(min, max)](std::string& text) {
            if (text == word) return std::string();
            const std::string wrong = number(text);
            return wrong.empty() ? wrong : wrong + ", or " + word;
          },
          "INT|" + word};
}

CLI::Option* add_max_risk_option(CLI::App& command, std::optional<refine::Risk>& risk) {
  return command
      .add_option_function<std::string>(
          "--max-risk", [&risk](const std::string& text) { risk = refine::parse_risk(text); },
          "Those with at most this risk, such as 0.01")
      ->type_name("RISK")
      ->check({[](const std::string& text) -> std::string {
                 if (refine::parse_risk(text)) return "";
                 return "\"" + text + "\" is not a number from 0 to 1 with at most four decimals";
               },
               ""});
}

void add_by_option(CLI::App& command, std::string& by, const std::string& what) {
  command.add_option("--by", by, what + " (default: the calling user)")
      ->type_name("NAME")
      ->check({[](const std::string& name) -> std::string {
                 if (name.empty() || is_reviewer_name(name)) return "";
                 return "a name is UTF-8 without control and format characters, at most 64 bytes";
               },
               ""});
}

CLI::Validator audit_note() {
  return {[](const std::string& note) { return is_note(note) ? std::string() : std::string(note_rule); }, ""};
}

CommandContext::CommandContext(config::Settings settings, const GlobalOptions& options, std::string command,
                               const Clock& clock, Console& console)
    : settings_(std::move(settings)),
      folder_(settings_.state.folder),
      command_(std::move(command)),
      clock_(clock),
      console_(console),
      files_(folder_.files()),
      json_(options.json),
      quiet_(options.quiet) {}

Result<std::shared_ptr<db::WritableState>> CommandContext::open_for_writing(Mines mines, Makes makes) const {
  QDEDUP_TRY(config::expect_own_folder(settings_.state));
  QDEDUP_ASSIGN_OR_RETURN(const bool exists, db::is_there(folder_.store_path()));
  if (!exists && makes == Makes::nothing) {
    QDEDUP_ASSIGN_OR_RETURN(const db::Store made_meanwhile, open_store_for_reading());  // or why it fails
  }
  QDEDUP_ASSIGN_OR_RETURN(std::shared_ptr<WriterLease> lease,
                          WriterLease::ask(folder_, command_, mines, [this](std::string_view job) {
                            if (!quiet_)
                              err() << "qdedup: waits until the daemon is done with: " << escaped(job)
                                    << '\n';
                          }));
  lease_ = lease;
  const auto lost = makes == Makes::bank ? db::LostBank::make_anew : db::LostBank::refuse;
  return db::open_writable_state(folder_, std::move(lease), lost);
}

void CommandContext::note_done(std::map<std::string, std::uint64_t> counts) const {
  const std::shared_ptr<WriterLease> lease = lease_.lock();
  if (!lease) return;
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  lease->note(counts);
}

Result<ReadableState> CommandContext::open_for_reading() const {
  QDEDUP_ASSIGN_OR_RETURN(db::Store store, open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(db::Bank bank, db::Bank::open(folder_, db::Access::read_only));
  return ReadableState{std::move(store), std::move(bank)};
}

Result<db::Store> CommandContext::open_store_for_reading() const {
  QDEDUP_TRY(config::expect_own_folder(settings_.state));
  return db::Store::open(folder_, db::Access::read_only);
}

int batch_exit_code(bool refused_some, bool strict) {
  return refused_some && strict ? static_cast<int>(ErrorCode::data) : 0;
}

CommandLine parse_command_line(std::vector<std::string> arguments, Console& console) {
  CLI::App app("Finds duplicate questions of a question bank in the logs of its search engine.", "qdedup");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.fallthrough();
  CommandLine line;
  add_global_options(app, line.options);
  add_commands(app, line.command, line.options);
  if (console.chinese() != nullptr) translate_help(app, *console.chinese());
  std::ranges::reverse(arguments);  // CLI11 expects them in reverse
  try {
    app.parse(std::move(arguments));
    line.name = app.get_subcommands().front()->get_name();
  } catch (const CLI::ParseError& error) {
    const bool is_helped = error.get_exit_code() == 0 && app.remaining_size(true) == 0;
    if (is_helped) {
      app.exit(error, console.out(), console.err());
      line.exit_code = written(console, EXIT_SUCCESS);
    } else {
      console.report({ErrorCode::usage, usage_error(app, error)});
      line.exit_code = static_cast<int>(ErrorCode::usage);
    }
  }
  return line;
}

int run_command(const Command& command, const CommandContext& context) {
  const auto report = [&](const Error& error) { context.console().report(error); };
  if (const auto refused = db::refuse_state_files(context.folder(), report)) return *refused;
  const Result<int> done = command.run(context);
  if (done.ok()) return written(context.console(), *done);
  context.console().report(done.error());
  return static_cast<int>(done.error().code);
}

}  // namespace qdedup::cli
