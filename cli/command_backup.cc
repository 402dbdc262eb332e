#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>

#include "cli/commands.h"
#include "db/snapshot.h"
#include "db/state_folder.h"

namespace qdedup::cli {
namespace {

struct BackupOptions {
  std::string file;
  std::string bank;
  bool force = false;
};

// Whether they name one place, whether or not there is a file yet, or one file by two names.
bool are_the_same(const std::string& first, const std::string& second) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path first_place = fs::weakly_canonical(fs::absolute(first, failure), failure);
  const fs::path second_place = fs::weakly_canonical(fs::absolute(second, failure), failure);
  if (!first_place.empty() && first_place == second_place) return true;
  return fs::equivalent(first, second, failure);
}

// All that may be wrong with the targets, before anything is written.
Status check_targets(const BackupOptions& options, const db::StateFolder& folder) {
  QDEDUP_TRY(db::output_place(options.file, folder));
  if (!options.force) QDEDUP_TRY(db::expect_nothing_at(options.file));
  if (options.bank.empty()) return {};
  QDEDUP_TRY(db::output_place(options.bank, folder));
  if (!options.force) QDEDUP_TRY(db::expect_nothing_at(options.bank));
  if (!are_the_same(options.file, options.bank)) return {};
  return Error{ErrorCode::usage,
               options.bank + ": is where qdedup.db goes; the bank needs a file of its own"};
}

Result<int> back_up_state(const BackupOptions& options, const CommandContext& context) {
  const db::StateFolder& folder = context.folder();
  const auto overwrite = options.force ? db::Overwrite::yes : db::Overwrite::no;
  { QDEDUP_ASSIGN_OR_RETURN(const ReadableState sound, context.open_for_reading()); }
  QDEDUP_TRY(check_targets(options, folder));
  const Progress progress = context.progress();
  QDEDUP_TRY(db::back_up(folder.store_path(), options.file, overwrite, "back up", progress));
  if (!options.bank.empty()) {
    QDEDUP_TRY(db::back_up(folder.bank_path(), options.bank, overwrite, "back up bank", progress));
  }
  if (!context.quiet()) {
    context.err() << "qdedup.db: copied to " << options.file << '\n';
    if (!options.bank.empty()) context.err() << "bank.db: copied to " << options.bank << '\n';
  }
  return 0;
}

}  // namespace

void add_backup_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<BackupOptions>();
  CLI::App* command = app.add_subcommand(
      "backup", "Copy qdedup.db, which cannot be made again, as of one moment, while the daemon works");
  command->add_option("FILE", options->file, "Where to; to restore, cp it to qdedup.db")->required();
  command->add_option("--bank", options->bank, "Copy bank.db too")->type_name("FILE");
  command->add_flag("--force", options->force, "Replace files that are there");
  command->callback([options, &chosen] {
    chosen.run = [options](const CommandContext& context) { return back_up_state(*options, context); };
  });
}

}  // namespace qdedup::cli
