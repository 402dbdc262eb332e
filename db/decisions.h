#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/standing.h"

namespace qdedup::db {

struct UnsettledQuestion;

using refine::Withdrawal;

// What a person, or a policy, says about a deletion.
//
//            pending    approved   rejected   applied    withdrawn
//   approve  approved   –          no         –          no
//   reject   rejected   rejected   –          no         no
//   reset    –          pending    pending    pending    no
//   apply    no         applied    no         –          no
//
// (–: nothing to change; no: refused.) `apply` says that the question was taken out of the search index;
// `reset` after that, that it was put back. A rejected deletion is reset only where that opens no second
// deletion of the question, in favour of a keeper that is not listed itself, and while nothing was listed in
// the question's favour: otherwise deletions would hang on a question that is deleted. Nothing is approved of
// an iteration that is withheld.
enum class Decision : std::uint8_t { approve, reject, reset, apply };
inline constexpr std::size_t decision_kinds = 4;

// "approve", "reject", "reset" or "apply".
std::string_view name(Decision decision);

// The status that `decision` turns `status` into, by the table; none if it is refused.
std::optional<DeletionStatus> outcome(Decision decision, DeletionStatus status);

// The fields of a deletion that a decision rests on.
struct SeenDeletion {
  QuestionId keeper = 0;
  DeletionStatus status = DeletionStatus::pending;
  std::uint64_t question_hash = 0;
  std::uint64_t keep_hash = 0;
};

SeenDeletion seen(const DeletionRow& row);

struct DecisionRequest {
  std::int64_t deletion_id = 0;
  Decision decision = Decision::approve;
  std::string note;
  // Refused if the deletion is no longer like this; without a value, its present state does not matter.
  std::optional<SeenDeletion> seen{};
  // What somebody saw who looked at this very pair; none: it is one of a list, a filter or a batch.
  std::optional<QuestionPair> looked_at{};
  // What the one who sends it calls it, so that it is known if it comes again; may be empty.
  std::string key{};
};

// Who decides, and when.
struct Decider {
  // As named by the kernel; over TCP "token", or signed_in_user(); "qdedup" or "policy" for the program.
  std::string user;
  std::string at;            // RFC 3339
  std::string given_name{};  // what the user calls themselves; may be empty
};

// "ann (as alice)" if alice calls herself ann; "reviewer:ann" if ann signed in. The part in the last
// parentheses, or what stands without any, cannot be forged.
std::string display_name(std::string_view user, std::string_view given_name);
std::string display_name(const Decider& decider);

// What a person approved and rejected one by one.
struct DecidedWork {
  std::string by;  // display_name
  std::uint64_t approved = 0;
  std::uint64_t rejected = 0;
  std::string last_at;
};

enum class OnRefusal { change_nothing, leave_out };

struct DecisionReport {
  struct Refusal {
    std::size_t request = 0;  // position in the requests
    std::string kind;         // the reason without ids of questions
    std::string reason;
  };

  std::array<std::uint64_t, decision_kinds> changed{};  // by decision
  std::uint64_t unchanged = 0;                          // already had the requested status
  std::vector<Refusal> refused;

  [[nodiscard]] std::uint64_t changed_total() const;
};

class Decisions {
 public:
  explicit Decisions(Store& store) : store_(store) {}

  // Carries out the requests in order, in one transaction. Each one that changes a status, or brings a new
  // note, adds a row to the audit and gives the deletion its note (`apply` without one leaves it as it is).
  // If one is not allowed, it is refused: then either nothing changes at all, or only that one is left out. A
  // trial reports the same and changes nothing.
  Result<DecisionReport> take(std::span<const DecisionRequest> requests, const Decider& decider,
                              OnRefusal on_refusal, bool trial);

  // Whether `decider` has made the decision with that key on the deletion.
  Result<bool> has(std::int64_t deletion_id, const Decider& decider, const std::string& key);

  // Who changed the status or note of a deletion last; none if nobody did.
  Result<std::optional<Decider>> last_decider(std::int64_t deletion_id);

  // The deletions that are approved, applied or rejected because somebody who looked at the very pair, with
  // the keeper it has, decided so last, and after the decision with this id; in the order of these decisions.
  Result<std::vector<std::int64_t>> decided_one_by_one(std::int64_t after = 0);

  // The texts by which the pair of a deletion was compared, if somebody decided on it one by one since these
  // are kept.
  Result<QuestionPair> texts_looked_at(const DeletionRow& row);

  // How many deletions `decider` has approved or rejected one by one from `since` on
  // ("2026-11-20T10:00:00Z"), and not taken back. Linear in what was decided one by one since then.
  Result<std::uint64_t> count_one_by_one(const Decider& decider, const std::string& since);

  // What each person decided one by one and did not take back. Linear in what was decided one by one.
  Result<std::vector<DecidedWork>> work();

  // Withdraws deletions between iterations, in one transaction. The next iteration decides the pairs of
  // `reopened` anew.
  Status withdraw(std::span<const Withdrawal> withdrawals, std::span<const ReopenedPair> reopened,
                  const std::string& at);

 private:
  Store& store_;
};

// Withdraws within the open transaction. Returns the questions whose classes must be settled afterwards;
// their reasons point into `withdrawals`. Throws what the library throws.
std::vector<UnsettledQuestion> withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals,
                                        const std::string& now);

}  // namespace qdedup::db
