#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace qdedup::db {

// Looks at the write-ahead log of a database that no process has open any more, before SQLite recovers from
// it. SQLite takes whatever follows the first frame that does not hold for what a power loss left of a
// commit, and a log that is missing for one that was empty. That is damage where more is known to have been
// committed: by the index that was left beside the log, by a later transaction, or where that index is gone.
// (Where the index was lost with a power loss, damage to what was committed last looks like an unfinished
// commit.)
//
// Of a database that others have open it sees only that its index is gone: whoever opened it then would make
// a new one, and read what was committed long ago. That takes a fifth of a second to be sure of.
//
// What is wrong, if anything is.
Result<std::optional<std::string>> find_log_damage(const std::string& database);

}  // namespace qdedup::db
