#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// Reads each page of the database, and of its write-ahead log what is still to be settled, within a snapshot
// that the caller holds. Says which pages are damaged, which tables and indexes they belong to, with the rows
// around, and what to do.
Result<std::vector<std::string>> find_page_damage(Store& store);
Result<std::vector<std::string>> find_page_damage(Bank& bank);

// Throws what SQLite would, were it to read this page now, if that is damaged: its newest copy in the log, or
// that in the database where the log has none. Within a snapshot that the caller holds.
void expect_sound_page(SQLite::Database& database, std::uint32_t page);

// An error where the write-ahead log is not what its index says, though it holds what is nowhere else: it was
// cut or overwritten while it was open. Within a snapshot that the caller holds.
Status check_live_log(const std::string& path, SQLite::Database& database);

}  // namespace qdedup::db
