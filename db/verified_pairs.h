#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/question_id.h"
#include "base/result.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/keepers.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

// A pair that holds no longer, and why.
struct LostPair {
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::string reason;
};

// Pairs that passed the duplicate test beside those of deletions: a question that was listed, with another
// that was kept then. They hold questions in their classes.
class VerifiedPairs {
 public:
  explicit VerifiedPairs(Store& store) : store_(store) {}

  // All, by question, then keeper: as pending deletions without an id or a note.
  Result<DeletionCursor> all();

  // Takes pairs away and settles the classes of their questions, in one transaction.
  Status lose(std::span<const LostPair> pairs);

 private:
  Store& store_;
};

// Add to the transaction that is open; classes are to be settled then. Those of `pairs` that are open
// deletions are no further pairs, nor are others that became deletions meanwhile. Throw what the library
// throws.
void add_pairs(SQLite::Database& database, std::int64_t iteration,
               std::span<const refine::AnnotatedDeletion> pairs);
void lose_pairs(SQLite::Database& database, std::span<const LostPair> pairs);

}  // namespace qdedup::db
