#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"

namespace qdedup::cli {
namespace {

Result<int> check(const std::string& path, const CommandContext& context) {
  const Result<config::Settings> settings = config::load_settings(path);
  std::vector<std::string> doubts;
  if (settings.ok()) doubts = config::doubts_about(*settings);
  if (context.json()) {
    const Json problem = settings.ok() ? Json() : Json(settings.error().message);
    print_json(context.out(),
               Json{{"file", path}, {"ok", settings.ok()}, {"problem", problem}, {"warnings", doubts}});
  }
  if (!settings.ok()) return settings.error();
  if (context.json()) return 0;
  for (const std::string& doubt : doubts)
    context.err() << "qdedup: " << Verbatim{escaped(path)} << ": warning: " << doubt << '\n';
  context.words() << Verbatim{escaped(path)} << ": ok\n";
  return 0;
}

Result<int> print_default(const CommandContext& context) {
  context.out() << config::default_settings_text();
  return 0;
}

Result<int> dump(const CommandContext& context) {
  context.out() << config::dump_settings(context.settings());
  return 0;
}

}  // namespace

void add_config_command(CLI::App& app, Command& chosen, GlobalOptions& options) {
  CLI::App* command =
      app.add_subcommand("config", "Check a config file, print the default or what is in force");
  command->require_subcommand(1);
  command->fallthrough();

  auto file = std::make_shared<std::string>();
  CLI::App* checking =
      command->add_subcommand("check", "Report what is wrong with a config file, line by line");
  checking->add_option("FILE", *file, "The config (default: that of --config)");
  checking->callback([file, &chosen, &options] {
    if (file->empty()) file->swap(options.config);
    if (file->empty()) throw CLI::RequiredError("FILE or --config FILE");
    options.config.clear();
    chosen.run = with_options(file, check);
  });
  command->add_subcommand("default", "Print the default config, with comments")
      ->callback([&chosen, &options] {
        options.config.clear();
        chosen.run = print_default;
      });
  command->add_subcommand("dump", "Print the settings in force")->callback([&chosen] { chosen.run = dump; });
}

}  // namespace qdedup::cli
