#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "refine/keepers.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// An iteration as far as its re-pointings need it.
struct RepointingIteration {
  std::int64_t id = 0;
  bool approves_safe = false;
  std::string at;
};

// Gives the open deletions of these questions other keepers, within the transaction that is open; classes are
// to be settled then. An approval was of the pair with the old keeper: that deletion is pending again, unless
// the iteration approves what is safe and the new pair is. What was applied is done, and stays so. Each of
// both is in the audit. Throws what the library throws.
void repoint(SQLite::Database& database, const RepointingIteration& iteration,
             std::span<const refine::AnnotatedDeletion> repointed);

}  // namespace qdedup::db
