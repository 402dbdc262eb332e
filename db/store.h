#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "base/result.h"
#include "db/connection.h"
#include "db/state_folder.h"

namespace qdedup::db {

// The open qdedup.db: logs and evidence, iterations, deletions and decisions, each with a class of its own.
// One process opens it with read_write, under the state's lock.
class Store : public Connection {
 public:
  static Result<Store> open(const StateFolder& folder, Access access);

 private:
  using Connection::Connection;
};

// Iterates over the rows of a query. The store must outlive it and must not be changed meanwhile.
template <class Row>
class Cursor {
 public:
  using Next = std::function<Result<std::optional<Row>>()>;

  explicit Cursor(Next next) : next_(std::move(next)) {}
  Cursor(Cursor&&) noexcept = default;
  Cursor& operator=(Cursor&&) = delete;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() = default;

  // The next row; none at the end.
  Result<std::optional<Row>> next() { return next_(); }

 private:
  Next next_;
};

}  // namespace qdedup::db
