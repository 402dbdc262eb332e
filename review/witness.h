#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/duplicate_test.h"

namespace qdedup::review {

// Looks whether the promise holds that each deletion rests on: a kept question, with a smaller id, passes the
// duplicate test with it directly.
class DirectWitness {
 public:
  // Both must outlive it.
  static Result<DirectWitness> create(db::Store& store, db::Bank& bank);

  // What is wrong with an open deletion at this moment, if anything is:
  //   keeper-gone     the keeper has no text in the bank (what was applied may outlive its keeper)
  //   keeper-listed   the keeper is openly deleted itself
  //   text-changed    a text is not the one that was compared
  //   not-duplicates  the two do not pass the test, under the settings of the iteration that compared them
  //   last other-distance  they do, but not with the distance and length that are recorded
  // A question that has left the bank cannot be compared any more: of it only the keeper is looked at.
  Result<std::optional<std::string>> breach(const db::DeletionRow& deletion);

  // The same of a verified pair that is no deletion: there its keeper may be listed by now.
  Result<std::optional<std::string>> breach_of_pair(const db::DeletionRow& pair);

 private:
  DirectWitness(db::Store& store, db::Bank& bank) : deletions_(store), bank_(bank) {}

  [[nodiscard]] refine::DuplicateSettings settings_of(const db::DeletionRow& deletion) const;
  Result<std::optional<std::string>> breach_of_test(const db::DeletionRow& deletion);

  db::Deletions deletions_;
  db::Bank& bank_;
  std::map<std::int64_t, refine::DuplicateSettings> settings_;  // by iteration
  std::map<std::int64_t, std::int64_t> repointed_in_;           // deletion -> the last iteration that did
};

}  // namespace qdedup::review
