#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "db/activity.h"
#include "db/state_folder.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// The open qdedup.db: logs and evidence, iterations, deletions and decisions, each of which has a class of
// its own. One process opens it with read_write, under the state's lock. Not to be shared by threads.
class Store {
 public:
  static Result<Store> open(const StateFolder& folder, Access access);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  void on_activity(OnActivity told);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] SQLite::Database& database() { return *database_; }

 private:
  Store(std::string path, std::unique_ptr<SQLite::Database> database);

  std::string path_;
  std::unique_ptr<OnActivity> told_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace qdedup::db
