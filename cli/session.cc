#include "cli/session.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace qdedup::cli {

Session::Session(config::Settings settings, const GlobalOptions& options, const Clock& clock,
                 Console& console, Host& host)
    : settings_(std::move(settings)),
      folder_(settings_.state.folder),
      clock_(clock),
      console_(console),
      host_(host),
      json_(options.json),
      quiet_(options.quiet) {}

Result<ReadableState> Session::open_for_reading() const {
  Result<db::Store> store = open_store_for_reading();
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder_, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  if (db::OnActivity told = host_.on_activity()) bank->on_activity(std::move(told));
  return ReadableState{*std::move(store), *std::move(bank)};
}

Result<db::Store> Session::open_store_for_reading() const {
  Result<db::Store> store = db::Store::open(folder_, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  if (db::OnActivity told = host_.on_activity()) store->on_activity(std::move(told));
  return store;
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
    return Error{ErrorCode::no_input, settings.state.folder + ": is not a folder, so no state can be in it"};
  }
  return settings;
}

int batch_exit_code(bool refused_some, bool strict) {
  return refused_some && strict ? static_cast<int>(ErrorCode::data) : 0;
}

}  // namespace qdedup::cli
