#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace qdedup::db {

// Checks the write-ahead log of a database that no process has open, before SQLite recovers from it. SQLite
// takes everything after the first invalid frame for a commit cut short by a power loss, and a missing log
// for an empty one. That is damage if more is known to have been committed: from the index left beside the
// log, from a later transaction, or because that index is gone. (If the index was lost in a power loss,
// damage to the last commits looks like an unfinished commit.)
//
// For a database that others have open it only detects that its index is gone: a process opening it would
// create a new one and read an old state. Being sure of that takes a fifth of a second.
//
// Returns what is wrong, if anything.
Result<std::optional<std::string>> find_log_damage(const std::string& database);

}  // namespace qdedup::db
