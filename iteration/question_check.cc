#include "iteration/question_check.h"

#include <memory>
#include <utility>

#include "base/progress.h"
#include "db/bank_changes.h"
#include "import/fingerprints.h"
#include "import/question_characters.h"
#include "iteration/held_questions.h"
#include "refine/sign_rules.h"

namespace qdedup::iteration {
namespace {

// Other rules would hide duplicates.
Status expect_known_fingerprints(db::Bank& bank) {
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  const Result<std::string> version = bank.fingerprint_version();
  if (!version.ok()) return version.error();
  if (*questions == 0 || *version == refine::sign_rules_version()) return {};
  return Error{ErrorCode::busy, bank.path() + ": was made by another version; import or iterate once, first"};
}

// Half a bank does not tell which questions are new.
Status expect_no_interrupted_import(db::Bank& bank) {
  const Result<std::optional<std::string>> interrupted = bank.interrupted_import();
  if (!interrupted.ok()) return interrupted.error();
  if (!*interrupted) return {};
  return Error{ErrorCode::busy,
               bank.path() + ": the import of " + **interrupted + " was interrupted; run it again first"};
}

// An import and an iteration see to the sketches, too.
Status bring_fingerprints_up_to_date(db::Bank& bank) {
  const Result<std::string> version = bank.fingerprint_version();
  if (!version.ok()) return version.error();
  if (*version == refine::sign_rules_version()) return {};
  return import::bring_fingerprints_up_to_date(bank, no_progress);
}

Result<std::shared_ptr<const refine::CharacterCounts>> characters_of(db::Bank& bank, BankIndex* index) {
  if (index != nullptr) return index->characters(bank);
  const Result<db::CharacterSums> sums = bank.character_sums();
  if (!sums.ok()) return sums.error();
  return std::make_shared<const refine::CharacterCounts>(import::character_counts(*sums));
}

using Outcomes = Result<std::vector<CheckOutcome>>;

Outcomes described(HeldQuestions& held, std::span<const db::BankQuestion> entering, db::Bank& bank,
                   BankIndex* index) {
  const auto characters = characters_of(bank, index);
  if (!characters.ok()) return characters.error();
  QDEDUP_TRY(held.describe(entering, **characters));
  return held.take_outcomes();
}

// Nothing where the index is of no use. It may have followed a newer bank than the view's: then another is
// taken.
Result<std::optional<std::vector<CheckOutcome>>> checked_by(BankIndex& index,
                                                            std::span<const AskedQuestion> questions,
                                                            db::Store& store, db::Bank& bank,
                                                            const refine::DuplicateSettings& settings) {
  using Answer = std::optional<std::vector<CheckOutcome>>;
  constexpr int most_views = 3;
  for (int i = 0; i < most_views; ++i) {
    const Result<db::BankView> view = db::BankView::begin(bank);
    if (!view.ok()) return view.error();
    const Result<bool> follows = index.follow(bank);
    if (!follows.ok()) return follows.error();
    if (!*follows) continue;
    HeldQuestions held(questions, store, bank, settings);
    const Result<bool> done = held.hold_against(index);
    if (!done.ok()) return done.error();
    if (!*done) break;
    Outcomes outcomes = described(held, {}, bank, &index);
    if (!outcomes.ok()) return std::move(outcomes).error();
    return Answer(*std::move(outcomes));
  }
  return Answer();
}

// By the index, if that is of use. No one else changes the bank meanwhile.
Status hold(HeldQuestions& held, BankIndex* index, db::Bank& bank) {
  if (index != nullptr) {
    const Result<bool> follows = index->follow(bank);
    if (!follows.ok()) return follows.error();
    const Result<bool> done = *follows ? held.hold_against(*index) : Result<bool>(false);
    if (!done.ok()) return done.error();
    if (*done) return {};
  }
  return held.hold_against_bank();
}

// The index, if it is of these settings.
BankIndex* usable(BankIndex* index, const refine::DuplicateSettings& settings) {
  return index != nullptr && index->is_of(settings) ? index : nullptr;
}

}  // namespace

Result<std::vector<CheckOutcome>> check_questions(std::span<const AskedQuestion> questions, db::Store& store,
                                                  db::Bank& bank, const refine::DuplicateSettings& settings,
                                                  BankIndex* index) {
  QDEDUP_TRY(expect_known_fingerprints(bank));
  if (BankIndex* const usable_index = usable(index, settings)) {
    auto outcomes = checked_by(*usable_index, questions, store, bank, settings);
    if (!outcomes.ok()) return std::move(outcomes).error();
    if (*outcomes) return **std::move(outcomes);
  }
  HeldQuestions held(questions, store, bank, settings);
  QDEDUP_TRY(held.hold_against_bank());
  return described(held, {}, bank, nullptr);
}

Result<std::vector<CheckOutcome>> add_new_questions(std::span<const AskedQuestion> questions,
                                                    db::Store& store, db::Bank& bank,
                                                    const refine::DuplicateSettings& settings,
                                                    const Clock& clock, BankIndex* index) {
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  QDEDUP_TRY(bring_fingerprints_up_to_date(bank));
  HeldQuestions held(questions, store, bank, settings);
  QDEDUP_TRY(hold(held, usable(index, settings), bank));
  std::vector<db::BankQuestion> entering;
  QDEDUP_TRY(held.choose_new(entering));
  Outcomes outcomes = described(held, entering, bank, usable(index, settings));
  if (outcomes.ok() && !entering.empty()) {
    import::QuestionCharacters tally;
    QDEDUP_TRY(db::BankImport::load_at_once(bank, "check", timestamp(clock.now()), entering, tally));
  }
  return outcomes;
}

}  // namespace qdedup::iteration
