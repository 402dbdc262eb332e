#include "cli/session.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace qdedup::cli {

Result<std::shared_ptr<WritableState>> open_writable_state(const db::StateFolder& folder) {
  Result<db::StateLock> lock = db::StateLock::acquire(folder);
  if (!lock.ok()) return std::move(lock).error();
  Result<db::StoreWriter> store = db::StoreWriter::open(folder);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_write);
  if (!bank.ok()) return std::move(bank).error();
  return std::make_shared<WritableState>(*std::move(lock), *std::move(store), *std::move(bank));
}

Session::Session(config::Settings settings, const GlobalOptions& options, const Clock& clock,
                 const logs::Files& files, Console& console, OpenState open_state)
    : settings_(std::move(settings)),
      folder_(settings_.state.folder),
      clock_(clock),
      files_(files),
      console_(console),
      open_state_(std::move(open_state)),
      json_(options.json),
      quiet_(options.quiet) {}

Result<std::shared_ptr<WritableState>> Session::open_for_writing() const { return open_state_(folder_); }

Result<ReadableState> Session::open_for_reading() const {
  Result<db::Store> store = db::Store::open(folder_, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder_, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  return ReadableState{*std::move(store), *std::move(bank)};
}

Result<config::Settings> settings_of(const GlobalOptions& options) {
  config::Settings settings;
  if (!options.config.empty()) {
    Result<config::Settings> loaded = config::load_settings(options.config);
    if (!loaded.ok()) return std::move(loaded).error();
    settings = *std::move(loaded);
  }
  if (!options.state.empty()) settings.state.folder = options.state;
  std::error_code failure;
  if (std::filesystem::exists(settings.state.folder, failure) &&
      !std::filesystem::is_directory(settings.state.folder, failure)) {
    return Error{ErrorCode::no_input, settings.state.folder + ": is no folder, so no state can be in it"};
  }
  return settings;
}

int batch_exit_code(bool refused_some, bool strict) {
  return refused_some && strict ? static_cast<int>(ErrorCode::data) : 0;
}

}  // namespace qdedup::cli
