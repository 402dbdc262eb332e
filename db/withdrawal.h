#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace SQLite {
class Database;
}

namespace qdedup::db {

// A deletion that is no longer held to be open or rejected, and why.
struct Withdrawal {
  std::int64_t deletion_id = 0;
  std::string reason;
};

// Adds what the withdrawals change to the transaction that is open. Throws what the library throws.
void withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals, const std::string& now);

}  // namespace qdedup::db
