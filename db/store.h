#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "db/activity.h"
#include "db/state_folder.h"
#include "db/write_permission.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

struct ConnectionWatch;

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

  // From now on it commits only while `permission`, if there is one, stands.
  void use(std::shared_ptr<WritePermission> permission);

  // Of a store that is open for writing: an error while its files are not where they were when it was opened.
  // Nothing is committed then.
  [[nodiscard]] Status check_files() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] SQLite::Database& database() { return *database_; }

 private:
  Store(std::string path, std::unique_ptr<SQLite::Database> database, Access access);

  std::string path_;
  std::unique_ptr<ConnectionWatch> watch_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace qdedup::db
