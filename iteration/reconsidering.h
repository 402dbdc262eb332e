#pragma once

#include <cstdint>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/iterations.h"
#include "refine/keepers.h"

namespace qdedup::iteration {

// A pair that a reviewer rejected, as it stood then.
struct RejectedPair {
  QuestionId question;
  QuestionId keeper;
  std::uint64_t question_hash;
  std::uint64_t keep_hash;
};

// A question with the hash of its text (db::text_hash).
struct HashedQuestion {
  QuestionId id;
  std::uint64_t hash;
};

// Is the deletion of `question` in favour of `keeper`, with these texts, among `rejected`, which ascend by
// question, then keeper?
bool is_rejected(const std::vector<RejectedPair>& rejected, HashedQuestion question, HashedQuestion keeper);

// What past deletions mean today (doc/rules.md, 5).
struct Reconsidered {
  std::vector<refine::Deletion> open;  // still open, by question
  std::vector<db::Withdrawal>
      withdrawn;  // no longer open or rejected: a text changed, or the keeper left the bank
  std::vector<std::vector<QuestionId>>
      to_decide;                       // clusters of the questions whose text changed, to be decided anew
  std::int64_t last_reopened_id = 0;   // of the pairs in it that were withdrawn before this iteration
  std::vector<RejectedPair> rejected;  // not to be listed again, by question, then keeper
};

// Holds each open or rejected deletion against the bank of this moment. Reads each text concerned; memory is
// linear in the number of open and rejected deletions.
Result<Reconsidered> reconsider(db::Deletions& deletions, db::Bank& bank);

}  // namespace qdedup::iteration
