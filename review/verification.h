#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"

namespace qdedup::review {

// Something that does not hold.
struct Breach {
  std::string kind;  // of DirectWitness, of db::History, of db::Classes, or "damaged"
  std::int64_t deletion_id = 0;
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::string detail;  // of damage and of classes; of a deletion empty
};

struct VerificationCounts {
  std::uint64_t open = 0;  // deletions that were looked at
  std::uint64_t breaches = 0;
};

// Verifies the whole store, as of one moment: each open deletion and each other verified pair has its direct
// witness, classes rest on them, records agree with statuses and classes, and the file is sound. Reads two
// texts for each of these. Of the bank it sees each question as it is when it is looked at.
Result<VerificationCounts> verify(db::Store& store, db::Bank& bank,
                                  const std::function<void(const Breach&)>& take, const Progress& progress);

}  // namespace qdedup::review
