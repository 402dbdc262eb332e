#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/keepers.h"
#include "refine/standing.h"

namespace qdedup::db {

using refine::LostPair;

// Pairs that passed the duplicate test besides those of deletions: a question that was listed, with another
// one that was kept at the time. They hold questions in their classes.
class VerifiedPairs {
 public:
  explicit VerifiedPairs(Store& store) : store_(store) {}

  // All pairs, by question and keeper, as pending deletions without id or note.
  Result<DeletionCursor> all();

  // Removes pairs and settles the classes of their questions, in one transaction.
  Status lose(std::span<const LostPair> pairs);

 private:
  Store& store_;
};

// These work within the open transaction; settle the classes afterwards. Of `pairs`, those that are open
// deletions are not added, and stored ones that have become deletions are removed. Both throw what the
// library throws.
void add_pairs(SQLite::Database& database, std::int64_t iteration,
               std::span<const refine::AnnotatedDeletion> pairs);
void lose_pairs(SQLite::Database& database, std::span<const LostPair> pairs);

}  // namespace qdedup::db
