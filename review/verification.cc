#include "review/verification.h"

#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "db/arrivals.h"
#include "db/classes.h"
#include "db/damage.h"
#include "db/deletion_tallies.h"
#include "db/iterations.h"
#include "db/snapshot.h"
#include "db/store_writer.h"
#include "db/verified_pairs.h"
#include "refine/contrast.h"
#include "refine/duplicate_settings.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::review {
namespace {

using BreachKind = std::optional<std::string>;

using TakeBreach = std::function<void(const db::Breach&)>;

constexpr std::uint64_t rows_between_progress = 1000;

// Snapshots of a bank, one after another: reading within one costs less than reading without, but holds the
// write-ahead log.
class BankMoments {
 public:
  explicit BankMoments(db::Bank& bank) : bank_(bank) {}

  // To be called for each row.
  Status next() {
    if (rows_++ % rows_between_progress != 0) return {};
    moment_.reset();
    QDEDUP_ASSIGN_OR_RETURN(db::Snapshot taken, db::Snapshot::take(bank_));
    moment_.emplace(std::move(taken));
    return {};
  }

 private:
  db::Bank& bank_;
  std::optional<db::Snapshot> moment_;
  std::uint64_t rows_ = 0;
};

// Checks what each deletion rests on: that a smaller, kept question passes the duplicate test with it
// directly.
class DirectWitness {
 public:
  // Both must outlive it.
  static Result<DirectWitness> create(db::Store& store, db::Bank& bank) {
    DirectWitness witness(store, bank);
    QDEDUP_ASSIGN_OR_RETURN(const auto iterations, db::Iterations(store).all());
    for (const db::IterationRecord& iteration : iterations) {
      witness.settings_[iteration.id] = refine::recorded_settings(parse_json(iteration.settings));
    }
    QDEDUP_ASSIGN_OR_RETURN(witness.repointed_in_, witness.deletions_.last_repointings());
    return witness;
  }

  // What is currently wrong with an open deletion, if anything:
  //   keeper-gone     the keeper has no text in the bank (an applied deletion may outlive its keeper)
  //   keeper-listed   the keeper has an open deletion itself
  //   text-changed    a text is not the one that was compared
  //   not-duplicates  the two fail the test, under the settings of the iteration that last compared them
  //   other-distance  they pass, but not with the recorded distance and length
  // A question that has left the bank cannot be compared any more; only its keeper is checked.
  Result<BreachKind> breach(const db::DeletionRow& deletion) {
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair texts,
                            bank_.find_pair(deletion.question, deletion.keeper));
    return breach_of_deletion(deletion, texts);
  }

  // Also, of what is to be carried out:
  //   answer-differs  the two have answers that contradict each other, and did not when they were listed
  Result<BreachKind> breach_of_approved(const db::DeletionRow& deletion) {
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair texts,
                            bank_.find_pair(deletion.question, deletion.keeper));
    QDEDUP_ASSIGN_OR_RETURN(BreachKind found, breach_of_deletion(deletion, texts));
    return !found && db::answers_contradict(deletion, texts) ? BreachKind(refine::answer_differs) : found;
  }

  // The same for a verified pair that is not a deletion; its keeper may be listed.
  Result<BreachKind> breach_of_pair(const db::DeletionRow& pair) {
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair texts, bank_.find_pair(pair.question, pair.keeper));
    return breach_of_texts(pair, texts);
  }

 private:
  DirectWitness(db::Store& store, db::Bank& bank) : deletions_(store), bank_(bank) {}

  [[nodiscard]] refine::DuplicateSettings settings_of(const db::DeletionRow& deletion) const {
    const auto repointed = repointed_in_.find(deletion.id);
    const auto found =
        settings_.find(repointed == repointed_in_.end() ? deletion.iteration : repointed->second);
    return found == settings_.end() ? refine::DuplicateSettings() : found->second;
  }

  Result<BreachKind> breach_of_deletion(const db::DeletionRow& deletion, const db::QuestionPair& texts) {
    const BreachKind of_pair = breach_of_texts(deletion, texts);
    if (of_pair == name(db::Standing::keeper_gone)) return of_pair;
    QDEDUP_ASSIGN_OR_RETURN(const auto of_keeper, deletions_.open_of(deletion.keeper));
    return of_keeper ? BreachKind("keeper-listed") : of_pair;
  }

  [[nodiscard]] BreachKind breach_of_texts(const db::DeletionRow& pair, const db::QuestionPair& texts) const {
    const db::Standing standing = db::standing_of(pair, texts);
    return standing == db::Standing::holds ? breach_of_test(pair, texts) : BreachKind(name(standing));
  }

  [[nodiscard]] BreachKind breach_of_test(const db::DeletionRow& deletion,
                                          const db::QuestionPair& texts) const {
    if (!texts.question || !texts.keeper) return std::nullopt;
    const refine::DuplicateSettings settings = settings_of(deletion);
    const refine::Comparison comparison =
        refine::compare(refine::compared_parts(texts.question->text, settings),
                        refine::compared_parts(texts.keeper->text, settings), settings);
    if (!comparison.duplicate) return "not-duplicates";
    const bool as_recorded = comparison.distance == deletion.distance &&
                             comparison.length == deletion.length &&
                             deletion.by_sets == refine::set_measure(settings.similarity).has_value();
    return as_recorded ? BreachKind() : "other-distance";
  }

  db::Deletions deletions_;
  db::Bank& bank_;
  std::map<std::int64_t, refine::DuplicateSettings> settings_;  // by iteration
  std::map<std::int64_t, std::int64_t> repointed_in_;  // the last iteration that re-pointed each deletion
};

// A store or a bank.
template <class File>
Status verify_pages(File& file, const TakeBreach& take) {
  QDEDUP_ASSIGN_OR_RETURN(const auto damage, db::find_page_damage(file));
  for (const std::string& detail : damage) take({"damaged", 0, 0, 0, file.path() + ": " + detail});
  return {};
}

Status verify_history(db::Store& store, const TakeBreach& take) {
  db::History history(store);
  QDEDUP_ASSIGN_OR_RETURN(const auto damage, history.damage());
  for (const std::string& detail : damage) take({"damaged", 0, 0, 0, detail});
  QDEDUP_ASSIGN_OR_RETURN(const auto breaches, history.breaches());
  for (const db::Breach& breach : breaches) take(breach);
  QDEDUP_ASSIGN_OR_RETURN(const auto wrong, db::wrong_tallies(store));
  for (const std::string& detail : wrong) take({"tally-wrong", 0, 0, 0, detail});
  return {};
}

// `open` of them.
Status verify_witnesses(db::DeletionCursor deletions, std::uint64_t open, DirectWitness& witness,
                        BankMoments moments, const TakeBreach& take, const Progress& progress) {
  for (std::uint64_t done = 0;; ++done) {
    if (done % rows_between_progress == 0) progress("verify", done, open, "deletions");
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, deletions.next());
    if (!row) return {};
    QDEDUP_TRY(moments.next());
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> kind, witness.breach(*row));
    if (kind) take({*kind, row->id, row->question, row->keeper, ""});
  }
}

Status verify_classes(db::Store& store, db::Bank& bank, const TakeBreach& take) {
  QDEDUP_ASSIGN_OR_RETURN(const auto breaches, db::Classes(store).breaches());
  for (const db::Breach& breach : breaches) take(breach);
  const auto text_in_bank = [&](QuestionId id) -> Result<std::optional<std::uint64_t>> {
    QDEDUP_ASSIGN_OR_RETURN(const auto question, bank.find(id));
    return question ? std::optional(refine::text_hash(question->text)) : std::nullopt;
  };
  QDEDUP_ASSIGN_OR_RETURN(const auto of_arrivals, db::Arrivals(store).breaches(text_in_bank));
  for (const db::Breach& breach : of_arrivals) take(breach);
  return {};
}

Status verify_pairs(db::DeletionCursor pairs, DirectWitness& witness, BankMoments moments,
                    const TakeBreach& take) {
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> pair, pairs.next());
    if (!pair) return {};
    const db::DeletionRow& row = *pair;
    QDEDUP_TRY(moments.next());
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> kind, witness.breach_of_pair(row));
    if (kind) take(db::breach_of_pair(*kind, row.question, row.keeper));
  }
}

}  // namespace

Result<VerificationCounts> verify(db::Store& store, db::Bank& bank, const TakeBreach& take,
                                  const Progress& progress) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store));
  VerificationCounts counts;
  const TakeBreach counting = [&](const db::Breach& breach) {
    ++counts.breaches;
    take(breach);
  };
  {
    QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot of_bank, db::Snapshot::take(bank));
    QDEDUP_TRY(verify_pages(store, counting));
    QDEDUP_TRY(verify_pages(bank, counting));
  }
  if (counts.breaches > 0) return counts;  // the rest could not be read
  const Status of_one_time = db::expect_no_older(bank, store);
  if (!of_one_time.ok()) counting({"older-bank", 0, 0, 0, of_one_time.error().message});
  db::Deletions deletions(store);
  QDEDUP_ASSIGN_OR_RETURN(counts.open, deletions.count_open());
  QDEDUP_TRY(verify_history(store, counting));
  QDEDUP_TRY(verify_classes(store, bank, counting));
  QDEDUP_ASSIGN_OR_RETURN(DirectWitness witness, DirectWitness::create(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor pairs, db::VerifiedPairs(store).all());
  QDEDUP_TRY(verify_pairs(std::move(pairs), witness, BankMoments(bank), counting));
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, deletions.open());
  QDEDUP_TRY(verify_witnesses(std::move(rows), *counts.open, witness, BankMoments(bank), counting, progress));
  return counts;
}

Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter) {
  filter.statuses = {db::DeletionStatus::approved};
  QDEDUP_ASSIGN_OR_RETURN(DirectWitness witness, DirectWitness::create(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, db::Deletions(store).select(filter));
  Recheck result;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows.next());
    if (!row) return result;
    const db::DeletionRow& deletion = *row;
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> breach, witness.breach_of_approved(deletion));
    if (!breach) continue;
    result.withdrawn.push_back({deletion.id, *breach});
    if (*breach != name(db::Standing::keeper_gone))
      result.reopened.push_back({deletion.question, deletion.keeper});
  }
}

}  // namespace qdedup::review
