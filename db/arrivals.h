#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/arrived_rows.h"
#include "db/bank.h"
#include "db/class_updater.h"
#include "db/classes.h"
#include "db/store.h"
#include "markup/extract.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"
#include "refine/parts.h"

namespace qdedup::db {

// When questions of the bank arrived. Throws what the library throws.
ArrivalOf arrivals_in(Bank& bank);

// Which questions went, or would go.
struct Expired {
  std::uint64_t arrived = 0;             // that were not in the bank
  std::vector<QuestionId> leaving = {};  // the bank, ascending
};

// The row of a pair that passes the test: the question, and the other one with its text if it has arrived.
using PairOf = std::function<Result<refine::AnnotatedDeletion>(const BankQuestion& question, QuestionId other,
                                                               const std::optional<BankQuestion>& arrived)>;

// The state of the bank that arrivals followed, or the newest iteration was made of.
struct FollowedBank {
  std::string identity;     // Bank::identity
  std::int64_t change = 0;  // db::newest_change
  std::string rules;        // Bank::fingerprint_version

  friend bool operator==(const FollowedBank&, const FollowedBank&) = default;
};

Result<FollowedBank> present_bank(Bank& bank);

// Within a transaction; throws what the library throws.
void remember(SQLite::Database& store, const FollowedBank& bank);

// Questions that came to be added (qdedup check --add). Those that are duplicates stay here, out of the bank.
// Each is in the class of a question that it passed the duplicate test with, one that was there before it: of
// the bank, or one of these. So are questions that are new but are duplicates of one of these.
class Arrivals {
 public:
  explicit Arrivals(Store& store) : store_(store) {}

  // Whether there are any, or pairs that they left.
  Result<bool> any();

  // A duplicate; not one of the bank. Fingerprint and sketch are not set.
  Result<std::optional<BankQuestion>> find(QuestionId id);

  // The texts of those of these questions that are there.
  Result<std::unordered_map<QuestionId, std::string>> texts_of(std::span<const QuestionId> questions);

  // Puts the arrivals, one after another, into the classes that ClassUpdater chooses; a new one only if it is
  // a duplicate of one of these. All in one transaction, unless none gets into a class: then nothing is
  // stored. New ones are `entering` until follow() sees them in the bank. `bank` must have been followed,
  // unless there are none of these. Each is compared with those that have the same signs, similar lengths and
  // similar characters; `go_on` is called for each of these, and if it returns an error, nothing is added.
  Status add(std::span<const Arrival> arrivals, const refine::DuplicateSettings& settings,
             const PairOf& pair_of, const ArrivalOf& arrival_of, const FollowedBank& bank,
             const std::string& at, const std::function<Status()>& go_on);

  // The new ones that are not yet known to be in the bank, as imported.
  Result<std::vector<Arrival>> entering();

  Result<FollowedBank> followed();

  // Whether any of these questions arrived, or is in a pair.
  Result<bool> concern(std::span<const QuestionId> questions);

  // Of each question, whether an open deletion or a pair that may hold something in a class has another text.
  Result<std::vector<bool>> paired_otherwise(std::span<const BankQuestion> questions);

  // Questions that left the bank while others hung on them, or before others came to, and that are not listed
  // any more; and those that arrived and are in no class any more. follow() is to look at them.
  Result<std::vector<QuestionId>> released();

  // Pairs of other texts than those that are there now ("text-changed"), or whose other question is gone
  // ("keeper-gone"); and questions that arrived in a class that nothing in the bank or on the list represents
  // ("representative-gone", with that).
  Result<std::vector<Breach>> breaches(const TextInBank& text_in_bank);

  // Makes all texts anew from what was imported, by these rules and options. Pairs that pass the test with
  // the new texts too stay. follow() without `changed` comes next.
  Status refresh(const std::string& rules, const markup::Options& options,
                 const refine::DuplicateSettings& settings, Bank& bank);

  // Follows changes of these questions of the bank (all of them without `changed`): questions that are in the
  // bank now leave these, pairs whose questions are gone or have other texts are lost, and those that had
  // them are settled. A duplicate that is in no class then leaves these too. In one transaction.
  Status follow(const std::optional<std::vector<QuestionId>>& changed, const TextInBank& text_in_bank,
                const ArrivalOf& arrival_of, const FollowedBank& bank, const std::string& at);

  // Takes out of the classes what arrived before `moment`: duplicates, and those of `in_bank` (ascending). A
  // question of the bank stays as long as another one hangs on it, or is in the class that it represents,
  // that is in the bank or arrived, and does not go itself; or was deleted in its favour, and has left the
  // bank. What hung on one that goes hangs on what this hung on. Pending and approved deletions of those that
  // go are withdrawn. In one transaction. `dry_run` changes nothing.
  Result<Expired> expire(std::int64_t moment, std::span<const QuestionId> in_bank,
                         const TextInBank& text_in_bank, const std::string& at, bool dry_run);

 private:
  Store& store_;
};

// A question of the bank, or one that arrived and is not there.
Result<std::optional<BankQuestion>> find_question(QuestionId question, Store& store, Bank& bank);

}  // namespace qdedup::db
