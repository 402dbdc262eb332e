#pragma once

#include "base/result.h"
#include "db/connection.h"
#include "db/state_folder.h"

namespace qdedup::db {

// The open qdedup.db: logs and evidence, iterations, deletions and decisions, each of which has a class of
// its own. One process opens it with read_write, under the state's lock.
class Store : public Connection {
 public:
  static Result<Store> open(const StateFolder& folder, Access access);

 private:
  using Connection::Connection;
};

}  // namespace qdedup::db
