#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "db/unsettled_question.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// A deletion that is no longer held to be open or rejected, and why.
struct Withdrawal {
  std::int64_t deletion_id = 0;
  std::string reason;
};

// Adds what the withdrawals change to the transaction that is open, and answers the questions whose classes
// are to be settled then; their reasons are those of `withdrawals`. Throws what the library throws.
std::vector<UnsettledQuestion> withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals,
                                        const std::string& now);

}  // namespace qdedup::db
