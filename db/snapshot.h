#pragma once

#include <string>

#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"

namespace qdedup::db {

// One moment of the store, or of the bank: as long as the object lives, all that is read through that
// connection, which must outlive it, is of that moment. Others may write meanwhile; the write-ahead log grows
// until the object goes.
class Snapshot {
 public:
  static Result<Snapshot> take(Store& store);
  static Result<Snapshot> take(Bank& bank);

  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&&) = delete;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot();

 private:
  explicit Snapshot(SQLite::Database& database) : database_(&database) {}
  static Result<Snapshot> take(const std::string& path, SQLite::Database& database);

  SQLite::Database* database_;
};

}  // namespace qdedup::db
