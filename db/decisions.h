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

namespace SQLite {
class Database;
}

namespace qdedup::db {

struct UnsettledQuestion;

// A deletion that is to be open or rejected no longer, and why.
struct Withdrawal {
  std::int64_t deletion_id = 0;
  std::string reason;
};

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

// "approve", "reject", "reset" or "apply", and back.
std::string_view name(Decision decision);
std::optional<Decision> decision_named(std::string_view name);

// The status that `decision` makes of `status` by the table; nothing where it is refused.
std::optional<DeletionStatus> outcome(Decision decision, DeletionStatus status);

// A deletion as far as a decision rests on it.
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
  std::optional<SeenDeletion> seen{};  // refused where the deletion is another by now; none: whatever it is
};

// Who decides, and when.
struct Decider {
  std::string user;          // that the kernel names; "token" over TCP; "qdedup" or "policy" for the program
  std::string at;            // RFC 3339
  std::string given_name{};  // what they call themselves; may be empty
};

// "ann (as alice)" where alice calls herself ann. What is in the last parentheses cannot be forged.
std::string display_name(std::string_view user, std::string_view given_name);
std::string display_name(const Decider& decider);

// A row of the audit.
struct DecisionRecord {
  Decider decider;
  DeletionStatus old_status = DeletionStatus::pending;
  DeletionStatus new_status = DeletionStatus::pending;
  std::string note;
};

enum class OnRefusal { change_nothing, leave_out };

struct DecisionReport {
  struct Refusal {
    std::size_t request = 0;  // its position
    std::string reason;
  };

  std::array<std::uint64_t, decision_kinds> changed{};  // by decision
  std::uint64_t unchanged = 0;                          // were so already
  std::vector<Refusal> refused;

  [[nodiscard]] std::uint64_t changed_total() const;
};

class Decisions {
 public:
  explicit Decisions(Store& store) : store_(store) {}

  // Takes the requests one after the other, in one transaction. Each that changes a status, or has a note
  // that is new, adds a row to the audit and gives the deletion its note. One that is not allowed is refused:
  // then nothing changes at all, or it alone is left out. A trial reports the same and changes nothing.
  Result<DecisionReport> take(std::span<const DecisionRequest> requests, const Decider& decider,
                              OnRefusal on_refusal, bool trial);

  // The last change of a deletion's status or note; nothing while there was none.
  Result<std::optional<DecisionRecord>> last(std::int64_t deletion_id);

  // Withdraws deletions between iterations, in one transaction. The next iteration decides the pairs of
  // `reopened` anew.
  Status withdraw(std::span<const Withdrawal> withdrawals, std::span<const ReopenedPair> reopened,
                  const std::string& at);

 private:
  Store& store_;
};

// Withdraws within the transaction that is open. Returns the questions whose classes are to be settled then;
// their reasons are those of `withdrawals`. Throws what the library throws.
std::vector<UnsettledQuestion> withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals,
                                        const std::string& now);

}  // namespace qdedup::db
