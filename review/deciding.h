#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "logs/files.h"
#include "review/decision_list.h"

namespace qdedup::review {

// The decisions that can be taken, and what is wrong with the others.
struct RequestedDecisions {
  struct Problem {
    std::uint64_t line = 0;  // 0: not of a list
    std::string reason;
  };

  std::vector<db::DecisionRequest> requests;
  std::vector<std::uint64_t> lines;              // of each request
  std::size_t max_problems = 100;                // that are kept
  std::vector<Problem> problems;                 // the first ones, in the order of the lines
  std::map<std::string, std::uint64_t> refused;  // how many, by kind
  std::uint64_t undecided = 0;                   // rows without a decision

  // `kind` is one of a few; `reason` is the same with what it was in this row.
  void refuse(std::uint64_t line, const std::string& kind, std::string reason);
  void refuse(std::uint64_t line, const std::string& reason) { refuse(line, reason, reason); }
};

// Looks up the deletions that a reviewer decides on, and compares each with the store and the bank as they
// are now. Refused are deletions that do not exist, have another keeper now, whose texts are not those that
// were compared (or, of a list, that the reviewer saw; white space does not count), and whose status does not
// allow the decision. Memory is linear in the number of decisions that can be taken.
class DecisionLookup {
 public:
  // Both must outlive it.
  DecisionLookup(db::Store& store, db::Bank& bank) : deletions_(store), bank_(bank) {}

  // The decisions of a list. A deletion that is decided on twice is refused.
  Result<RequestedDecisions> of_list(const std::string& path, const logs::Files& files);

  // One row, as if it stood in a list: it goes to the requests or to the problems of `requested`.
  Status of_row(const ListedRow& row, RequestedDecisions& requested);

  // `decision` on one pair.
  Result<RequestedDecisions> of_pair(QuestionId question, QuestionId keeper, db::Decision decision,
                                     const std::string& note);

  // `decision` on each deletion that passes `filter` and has a status that it changes; what was applied is
  // only reset by pair or by list.
  Result<RequestedDecisions> of_filter(db::DeletionFilter filter, db::Decision decision,
                                       const std::string& note);

  // The questions of a list, or ids, as carried out. It is done, whatever their keepers or texts are now.
  Result<RequestedDecisions> applied(const std::string& path, const logs::Files& files);

 private:
  using TakeListed = Status (DecisionLookup::*)(const ListedRow& row, RequestedDecisions& requested);

  Result<RequestedDecisions> of_rows(const std::string& path, const logs::Files& files, ListUse use,
                                     TakeListed take);
  Status take_applied(const ListedRow& row, RequestedDecisions& requested);
  Result<std::string> why_outdated(db::DeletionRow deletion, db::Decision decision);
  Result<std::optional<QuestionId>> not_as_seen(const ListedRow& row);
  void request(const db::DecisionRequest& request, std::uint64_t line, RequestedDecisions& requested);

  db::Deletions deletions_;
  db::Bank& bank_;
  std::map<std::int64_t, std::uint64_t> decided_;  // deletion -> line
};

}  // namespace qdedup::review
