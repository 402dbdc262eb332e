#include <filesystem>
#include <ostream>
#include <system_error>

#include "base/escaped.h"
#include "cli/commands.h"
#include "db/snapshot.h"

namespace qdedup::cli {
namespace {

struct BackupOptions {
  std::string file;
  std::string bank;
  bool force = false;
};

db::Overwrite overwrite_of(const BackupOptions& options) {
  return options.force ? db::Overwrite::yes : db::Overwrite::no;
}

// Where the copies go.
struct Targets {
  FilePlace store;
  std::optional<FilePlace> bank;
};

// Whether both are the same place, existing or not, or two names of one file.
bool are_the_same(const FilePlace& first, const FilePlace& second) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path first_place = fs::weakly_canonical(first.path(), failure);
  const fs::path second_place = fs::weakly_canonical(second.path(), failure);
  if (!first_place.empty() && first_place == second_place) return true;
  return fs::equivalent(first.path(), second.path(), failure);
}

Result<FilePlace> target_at(const std::string& path, const BackupOptions& options,
                            const db::StateFolder& folder) {
  QDEDUP_ASSIGN_OR_RETURN(FilePlace place, db::output_place(path, folder));
  QDEDUP_TRY(db::expect_room(place, overwrite_of(options)));
  return place;
}

// Checks the targets completely before anything is written.
Result<Targets> find_targets(const BackupOptions& options, const db::StateFolder& folder) {
  QDEDUP_ASSIGN_OR_RETURN(FilePlace store, target_at(options.file, options, folder));
  Targets targets{std::move(store), std::nullopt};
  if (options.bank.empty()) return targets;
  QDEDUP_ASSIGN_OR_RETURN(targets.bank, target_at(options.bank, options, folder));
  if (!are_the_same(targets.store, *targets.bank)) return targets;
  return Error{ErrorCode::usage,
               options.bank + ": is where qdedup.db goes; the bank needs a file of its own"};
}

Result<int> back_up_state(const BackupOptions& options, const CommandContext& context) {
  const db::StateFolder& folder = context.folder();
  const db::Overwrite overwrite = overwrite_of(options);
  {
    QDEDUP_ASSIGN_OR_RETURN(const db::Store sound, context.open_store_for_reading());
    if (!options.bank.empty()) {
      QDEDUP_ASSIGN_OR_RETURN(const db::Bank sound_bank, db::Bank::open(folder, db::Access::read_only));
    }
  }
  QDEDUP_ASSIGN_OR_RETURN(const Targets targets, find_targets(options, folder));
  const Progress progress = context.progress();
  QDEDUP_TRY(db::back_up(folder.store_path(), targets.store, overwrite, "back up", progress));
  if (targets.bank) {
    QDEDUP_TRY(db::back_up(folder.bank_path(), *targets.bank, overwrite, "back up bank", progress));
  }
  if (!context.quiet()) {
    context.err() << "qdedup.db: copied to " << Verbatim{escaped(options.file)} << '\n';
    if (targets.bank) context.err() << "bank.db: copied to " << Verbatim{escaped(options.bank)} << '\n';
  }
  return 0;
}

}  // namespace

void add_backup_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<BackupOptions>();
  CLI::App* command = app.add_subcommand(
      "backup", "Copy qdedup.db, which cannot be recreated, as of one moment, even while the daemon runs");
  command
      ->add_option("FILE", options->file, "Where to write the copy; doc/operations.md says how to restore it")
      ->required();
  command->add_option("--bank", options->bank, "Copy bank.db too")->type_name("FILE")->check(not_empty());
  command->add_flag("--force", options->force, "Replace existing files");
  command->callback([options, &chosen] {
    if (options->file == "-" || options->bank == "-")
      throw CLI::ValidationError("FILE", "must be a file, not standard output");
    chosen.run = with_options(options, back_up_state);
  });
}

}  // namespace qdedup::cli
