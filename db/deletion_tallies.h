#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/confidence.h"
#include "refine/keepers.h"

namespace qdedup::db {

// The table deletion_tally says how many deletions agree in the fields that the review page counts by, so
// that nobody has to go through all of them for that. Whoever changes deletions keeps it in step.

// Risks are tallied up to these, in ten-thousandths: those that the page offers as the highest.
inline constexpr std::array tallied_risks = {10, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000};

// What one transaction does to the table.
class TallyUpdate {
 public:
  void list(std::int64_t iteration, DeletionStatus status, const refine::AnnotatedDeletion& deletion);
  void change(const DeletionRow& before, DeletionStatus status) { change(before, status, before); }
  void change(const DeletionRow& before, DeletionStatus status, const refine::AnnotatedDeletion& repointed);

  // To be called once, before the commit. Throws what the library throws.
  void store(SQLite::Database& database) const;

 private:
  friend Result<std::vector<std::string>> wrong_tallies(Store& store);

  // In an order that lets numbers decide most comparisons.
  struct Key {
    int similarity;  // whole percent, rounded down
    int risk;        // the smallest of tallied_risks that is not below
    std::int64_t iteration;
    DeletionStatus status;
    refine::Confidence confidence;
    std::string reasons;

    friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT(modernize-use-nullptr)
  };

  static Key key_of(std::int64_t iteration, DeletionStatus status, const refine::AnnotatedDeletion& pair);

  std::map<Key, std::int64_t> changes_;
};

// Where the table differs from the deletions, a line each. Linear in the deletions.
Result<std::vector<std::string>> wrong_tallies(Store& store);

}  // namespace qdedup::db
