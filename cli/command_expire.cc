#include <chrono>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "iteration/arriving.h"

namespace qdedup::cli {
namespace {

struct ExpireOptions {
  std::optional<std::uint64_t> days;  // none: as the config says
  bool dry_run = false;
};

void print_expired(const CommandContext& context, const db::Expired& counts, std::chrono::sys_seconds moment,
                   bool dry_run) {
  if (context.json()) {
    print_json(context.out(), {{"before", timestamp(moment)},
                               {"arrived", counts.arrived},
                               {"bank", counts.leaving.size()},
                               {"dry_run", dry_run}});
    return;
  }
  context.words() << counted(counts.arrived, "duplicate") << " and "
                  << counted(counts.leaving.size(), "question") << " of the bank "
                  << (dry_run ? "would expire" : "expired") << ": arrived before " << timestamp(moment)
                  << '\n';
}

Result<int> run_expire(const ExpireOptions& options, const CommandContext& context) {
  const std::uint64_t days = options.days.value_or(context.settings().check.keep_days);
  if (days == 0) {
    return Error{ErrorCode::usage, "nothing expires: [check] keep_days is 0; set it, or give --days"};
  }
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  const std::chrono::sys_seconds moment = iteration::expiry_moment(context.clock(), days);
  QDEDUP_ASSIGN_OR_RETURN(const db::Expired counts,
                          iteration::expire(reading, state->store, state->bank, context.settings().refine,
                                            context.clock(), moment, options.dry_run));
  print_expired(context, counts, moment, options.dry_run);
  return 0;
}

}  // namespace

void add_expire_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExpireOptions>();
  CLI::App* command = app.add_subcommand(
      "expire",
      "Take what arrived long ago out of the classes and the bank; a class's representative goes last");
  command
      ->add_option("--days", options->days,
                   "What arrived more than so many days ago (default: [check] keep_days)")
      ->check(whole_number(1, 36'500));
  command->add_flag("--dry-run", options->dry_run, "Only count");
  command->callback([options, &chosen] { chosen = {with_options(options, run_expire), true, {}}; });
}

}  // namespace qdedup::cli
