#pragma once

#include <chrono>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace qdedup::db {

// Notes in the table that `slot` is done with; once or again.
void add_slot(SQLite::Database& database, std::chrono::sys_seconds slot, const std::string& recorded_at);

}  // namespace qdedup::db
