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
#include "db/store.h"
#include "logs/files.h"
#include "review/decision_list.h"

namespace qdedup::review {

// The decisions that can be carried out, and what is wrong with the others.
struct RequestedDecisions {
  struct Problem {
    ListPlace place;
    std::string reason;
  };

  std::vector<db::DecisionRequest> requests;
  std::vector<ListPlace> places;                 // of each request
  std::size_t max_problems = 100;                // to keep
  std::vector<Problem> problems;                 // the first ones, by place
  std::map<std::string, std::uint64_t> refused;  // number by kind
  std::uint64_t undecided = 0;                   // rows without a decision

  // `kind` is one of a few; `reason` adds the details of this row.
  void refuse(const ListPlace& place, const std::string& kind, std::string reason);
  void refuse(const ListPlace& place, const std::string& reason) { refuse(place, reason, reason); }
};

// Looks up the deletions that a reviewer decides on, and compares each with the present store and bank.
// Refuses deletions that do not exist, have another keeper now, whose texts are not those that were compared
// (or, for a list, those that the reviewer saw, ignoring white space), or whose status does not allow the
// decision. Memory is linear in the number of decisions that can be carried out.
class DecisionLookup {
 public:
  // Both must outlive it.
  DecisionLookup(db::Store& store, db::Bank& bank) : store_(store), bank_(bank), deletions_(store) {}

  // The decisions of a list; or marks its questions, or ids, as applied: not one that is pending again with
  // another keeper, nor an approved one whose text in the list is not that of the question by now. A second
  // decision on the same deletion is refused.
  Result<RequestedDecisions> of_list(const std::string& path, const logs::Files& files, ListUse use);

  // Handles one row as if it were in a list, and adds it to the requests or the problems of `requested`; to
  // the latter, too, where it has no decision.
  Status of_row(const ListedRow& row, RequestedDecisions& requested);

  // `decision` on one pair.
  Result<RequestedDecisions> of_pair(QuestionId question, QuestionId keeper, db::Decision decision,
                                     const std::string& note);

  // `decision` on each deletion that matches `filter` and has a status that it changes; applied deletions can
  // only be reset by pair or by list.
  Result<RequestedDecisions> of_filter(db::DeletionFilter filter, db::Decision decision,
                                       const std::string& note);

 private:
  Status of_listed(const ListedRow& row, RequestedDecisions& requested);
  Status take_applied(const ListedRow& row, RequestedDecisions& requested);
  Result<bool> is_another(const ListedRow& row, const db::DeletionRow& deletion);
  Result<std::string> why_withheld(const ListedRow& row, const db::DeletionRow& deletion);
  Result<std::string> why_outdated(db::DeletionRow deletion, db::Decision decision);
  Result<std::optional<QuestionId>> not_as_seen(const ListedRow& row);
  void request(const db::DecisionRequest& request, const ListPlace& place, RequestedDecisions& requested);

  db::Store& store_;
  db::Bank& bank_;
  db::Deletions deletions_;
  std::map<std::int64_t, ListPlace> decided_;  // by deletion
};

}  // namespace qdedup::review
