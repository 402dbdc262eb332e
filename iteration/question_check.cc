#include "iteration/question_check.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "db/arrivals.h"
#include "db/bank_import.h"
#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "db/learned_weights.h"
#include "db/snapshot.h"
#include "iteration/arriving.h"
#include "iteration/draft.h"
#include "iteration/kept_duplicates.h"
#include "markup/compared.h"
#include "refine/character_counts.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

// So many kept duplicates tell that there is one besides a question itself, and which is the smallest.
constexpr std::size_t enough_to_tell = 2;

Error changed_meanwhile() { return {ErrorCode::busy, "the bank was changed meanwhile; try again"}; }

using Outcomes = std::vector<CheckOutcome>;

// The questions as the bank would store them; id 0 if there is none.
std::vector<db::BankQuestion> asked_questions(std::span<const AskedQuestion> questions, db::Bank& bank,
                                              const markup::Options& text) {
  std::vector<db::BankQuestion> asked;
  for (const AskedQuestion& question : questions) {
    bank.report_activity();
    asked.push_back(
        db::bank_question(question.id.value_or(0), question.text, question.answer, text, question.images));
  }
  return asked;
}

// Compares some questions with the bank, and can then choose those to add. All constructor arguments must
// outlive it.
class QuestionChecker {
 public:
  QuestionChecker(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                  engine::DecisionSettings settings, const markup::Options& text, const GoOn& go_on,
                  std::size_t most_kept = enough_to_tell)
      : questions_(questions),
        arrivals_(store),
        bank_(bank),
        settings_(std::move(settings)),
        go_on_(go_on),
        asked_(asked_questions(questions, bank, text)),
        kept_(asked_, store, bank, settings_.duplicates, go_on, most_kept),
        entered_near_(questions.size()),
        outcomes_(questions.size()) {}
  QuestionChecker(const QuestionChecker&) = delete;
  QuestionChecker& operator=(const QuestionChecker&) = delete;

  // To be filled before anything else is done.
  KeptDuplicates& kept() { return kept_; }

  // Chooses the questions that enter the bank, and those that join their classes, one after another.
  Status choose_new(std::int64_t now) {
    std::vector<QuestionId> ids;
    for (const db::BankQuestion& question : asked_) ids.push_back(question.id);
    QDEDUP_ASSIGN_OR_RETURN(auto arrived_texts, arrivals_.texts_of(ids));
    arrived_texts_ = std::move(arrived_texts);
    QDEDUP_ASSIGN_OR_RETURN(paired_otherwise_, arrivals_.paired_otherwise(asked_));
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      QDEDUP_TRY(go_on_());
      std::vector<QuestionId> duplicates = duplicates_so_far(number);
      outcomes_[number].joined = has_arrived_before(number);
      if (outcomes_[number].joined) continue;
      QDEDUP_ASSIGN_OR_RETURN(outcomes_[number].refused, refusal_of(number));
      if (!outcomes_[number].refused.empty()) continue;
      std::ranges::sort(duplicates);
      const std::int64_t at = questions_[number].arrived_at.value_or(now);
      asked_[number].arrived_at = at;
      arrival_numbers_[asked_[number].id] = number;
      arriving_.push_back({asked_[number], at, duplicates.empty(), std::move(duplicates)});
      if (arriving_.back().is_new) {
        enter(number);
      } else {
        outcomes_[number].joined = true;
        arrived_texts_[asked_[number].id] = asked_[number].text;
      }
    }
    return {};
  }

  // Between comparisons that are made elsewhere.
  Status go_on() {
    bank_.report_activity();
    return go_on_();
  }

  [[nodiscard]] const std::vector<db::Arrival>& arriving() const { return arriving_; }
  [[nodiscard]] std::optional<std::int64_t> arrival_of(QuestionId id) const {
    const auto arrival = arrival_numbers_.find(id);
    return arrival == arrival_numbers_.end() ? std::nullopt : asked_[arrival->second].arrived_at;
  }
  [[nodiscard]] const std::vector<db::BankQuestion>& entering() const { return entering_; }

  // The outcomes, with the rows of the duplicates found.
  Result<Outcomes> outcomes(const refine::CharacterCounts& characters) {
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      const std::optional<QuestionId> duplicate_of = smallest_duplicate(number);
      if (!duplicate_of) {
        if (outcomes_[number].refused.empty()) outcomes_[number].refused = why_not_compared(number);
        continue;
      }
      QDEDUP_TRY(go_on_());
      QDEDUP_ASSIGN_OR_RETURN(outcomes_[number].duplicate_of,
                              pair(asked_[number], *duplicate_of, std::nullopt, characters));
    }
    return std::move(outcomes_);
  }

  // The row of a pair that passes the test (db::PairOf).
  Result<refine::AnnotatedDeletion> pair(const db::BankQuestion& question, QuestionId other_id,
                                         std::optional<db::BankQuestion> other,
                                         const refine::CharacterCounts& characters) {
    bank_.report_activity();
    const auto arrival = arrival_numbers_.find(other_id);
    if (!other && arrival != arrival_numbers_.end()) other = asked_[arrival->second];
    if (!other) {
      QDEDUP_ASSIGN_OR_RETURN(other, bank_.find(other_id));
    }
    if (!other) return changed_meanwhile();
    const auto row = engine::annotate({question.id, {question.text, question.answer}, settings_.duplicates},
                                      {other->id, {other->text, other->answer}, settings_.duplicates},
                                      {settings_, characters});
    if (!row) return changed_meanwhile();
    return *row;
  }

 private:
  // The questions of the bank, and then those that entered before it, that it duplicates.
  [[nodiscard]] std::vector<QuestionId> duplicates_so_far(std::uint32_t number) const {
    std::vector<QuestionId> found = kept_.of(number);
    found.insert(found.end(), entered_near_[number].begin(), entered_near_[number].end());
    return found;
  }

  [[nodiscard]] std::optional<QuestionId> smallest_duplicate(std::uint32_t number) const {
    const std::vector<QuestionId> found = duplicates_so_far(number);
    const auto smallest = std::ranges::min_element(found);
    return smallest == found.end() ? std::nullopt : std::optional(*smallest);
  }

  // Whether the same question arrived before, as a duplicate.
  [[nodiscard]] bool has_arrived_before(std::uint32_t number) const {
    const auto arrived = arrived_texts_.find(asked_[number].id);
    return arrived != arrived_texts_.end() && arrived->second == asked_[number].text;
  }

  // Empty if it is.
  [[nodiscard]] std::string why_not_compared(std::uint32_t number) const {
    if (asked_[number].is_too_long) return std::string(markup::too_long_rule);
    if (asked_[number].text.empty()) return "it has no text";
    const refine::Parts parts = refine::compared_parts(asked_[number].text, settings_.duplicates);
    return parts.signs.empty() && parts.han.empty() ? "nothing of its text is compared" : "";
  }

  static bool is_same(const db::BankQuestion& known, const db::BankQuestion& asked) {
    return known.original_text() == asked.original_text() &&
           known.original_answer() == asked.original_answer() && db::images_of(known) == db::images_of(asked);
  }

  Result<std::string> refusal_of(std::uint32_t number) {
    const AskedQuestion& question = questions_[number];
    if (std::string why = why_not_compared(number); !why.empty()) return why;
    if (!question.id) return std::string("a question enters with an id only");
    if (arrived_texts_.contains(*question.id)) return std::string("the id has arrived already");
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> known, bank_.find(*question.id));
    if (known && is_same(*known, asked_[number])) return std::string("the question is in the bank already");
    if (known) return std::string("the id is in the bank already, with another text, answer or images");
    if (arrival_numbers_.contains(*question.id))
      return std::string("another question of the request has the id");
    if (paired_otherwise_[number]) {
      return std::string("the id is on the list or in a class with another text; import it");
    }
    return std::string();
  }

  void enter(std::uint32_t number) {
    const db::BankQuestion& question = asked_[number];
    entering_.push_back(question);
    outcomes_[number].added = true;
    for (const std::uint32_t similar : kept_.asked_near(question)) {
      if (similar > number && questions_[similar].id != question.id)
        entered_near_[similar].push_back(question.id);
    }
  }

  std::span<const AskedQuestion> questions_;
  db::Arrivals arrivals_;
  db::Bank& bank_;
  engine::DecisionSettings settings_;
  const GoOn& go_on_;
  std::vector<db::BankQuestion> asked_;
  KeptDuplicates kept_;
  std::vector<std::vector<QuestionId>> entered_near_;  // those entering before it that each number duplicates
  std::map<QuestionId, std::uint32_t> arrival_numbers_;        // of those that arrive, by id
  std::unordered_map<QuestionId, std::string> arrived_texts_;  // of those asked that arrived, and now do
  std::vector<bool> paired_otherwise_;                         // of each number (db/arrivals.h)
  std::vector<db::Arrival> arriving_;
  std::vector<db::BankQuestion> entering_;
  Outcomes outcomes_;
};

// By which texts of the bank are extracted, for adding questions to it. Imports and iterations take care of
// outdated sketches.
Result<markup::Options> options_for_adding(db::Store& store, db::Bank& bank, const markup::Options& wanted) {
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (options && questions > 0) return *options;
  QDEDUP_TRY(expect_text_settings(store, bank, wanted));
  QDEDUP_TRY(db::bring_texts_up_to_date(bank, wanted, no_progress));
  return wanted;
}

using Characters = std::shared_ptr<const refine::CharacterCounts>;

Result<Characters> characters_of(db::Bank& bank, BankIndex* index) {
  if (index != nullptr) return index->characters(bank);
  QDEDUP_ASSIGN_OR_RETURN(refine::CharacterCounts characters, bank.character_counts());
  return std::make_shared<const refine::CharacterCounts>(std::move(characters));
}

Result<Outcomes> outcomes_of(QuestionChecker& checker, db::Bank& bank, BankIndex* index) {
  QDEDUP_ASSIGN_OR_RETURN(const Characters characters, characters_of(bank, index));
  return checker.outcomes(*characters);
}

// Puts what arrives into classes and into the bank. What the store has then, is done even if the program ends
// in between (follow_bank).
Status store_arrivals(QuestionChecker& checker, const refine::CharacterCounts& characters, db::Store& store,
                      db::StoreWriter& writing, db::Bank& bank, const refine::DuplicateSettings& settings,
                      const Clock& clock) {
  const std::string at = timestamp(clock.now());
  QDEDUP_ASSIGN_OR_RETURN(bool in_classes, db::Arrivals(store).any());
  in_classes = in_classes || checker.arriving().size() > checker.entering().size();
  if (in_classes) {
    QDEDUP_ASSIGN_OR_RETURN(const db::FollowedBank followed, db::present_bank(bank));
    const auto pair_of = [&](const db::BankQuestion& question, QuestionId other,
                             const std::optional<db::BankQuestion>& arrived) {
      return checker.pair(question, other, arrived, characters);
    };
    const auto arrival_of = [&, in_bank = db::arrivals_in(bank)](QuestionId id) {
      const std::optional<std::int64_t> arriving = checker.arrival_of(id);
      return arriving ? arriving : in_bank(id);
    };
    QDEDUP_TRY(writing.write([&](db::Store& written) {
      return db::Arrivals(written).add(checker.arriving(), settings, pair_of, arrival_of, followed, at,
                                       [&] { return checker.go_on(); });
    }));
  }
  if (checker.entering().empty()) return {};
  QDEDUP_TRY(db::BankImport::load_at_once(bank, "check", at, checker.entering()));
  return in_classes ? follow_bank(store, writing, bank, settings, clock) : Status();
}

// The classes in which the questions are now: of a question that is not in the state, that of what it
// duplicates.
Status add_classes(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                   Outcomes& outcomes) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot view, db::Snapshot::take(store));
  std::vector<std::size_t> positions;
  std::vector<QuestionId> ids;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const CheckOutcome& outcome = outcomes[i];
    QuestionId id = questions[i].id.value_or(0);
    if (id != 0 && !outcome.added && !outcome.joined) {
      QDEDUP_ASSIGN_OR_RETURN(const auto found, db::find_question(id, store, bank));
      if (!found) id = 0;
    }
    if (id == 0 && outcome.duplicate_of) id = outcome.duplicate_of->keeper;
    if (id == 0) continue;
    positions.push_back(i);
    ids.push_back(id);
  }
  QDEDUP_ASSIGN_OR_RETURN(std::vector<db::ClassSummary> summaries,
                          db::Classes(store).summaries_of(ids, max_members_listed));
  for (std::size_t i = 0; i < positions.size(); ++i) outcomes[positions[i]].members = std::move(summaries[i]);
  return {};
}

// None if the index is of no use. If it has already followed a newer state of the bank, tries again with a
// new snapshot.
Result<std::optional<Outcomes>> checked_by(BankIndex& index, std::span<const AskedQuestion> questions,
                                           db::Store& store, db::Bank& bank,
                                           const engine::DecisionSettings& settings,
                                           const markup::Options& text, const GoOn& go_on) {
  constexpr int max_views = 3;
  for (int i = 0; i < max_views; ++i) {
    QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot view, db::Snapshot::take(bank));
    QDEDUP_ASSIGN_OR_RETURN(const bool follows, index.follow(bank));
    if (!follows) continue;
    QuestionChecker checker(questions, store, bank, settings, text, go_on);
    QDEDUP_ASSIGN_OR_RETURN(const bool done, checker.kept().find_by(index));
    if (!done) break;
    QDEDUP_ASSIGN_OR_RETURN(Outcomes outcomes, outcomes_of(checker, bank, &index));
    return std::optional(std::move(outcomes));
  }
  return std::optional<Outcomes>();
}

// Uses the index if possible. Nobody else changes the bank meanwhile.
Status compare(QuestionChecker& checker, BankIndex* index, db::Bank& bank) {
  if (index != nullptr) {
    QDEDUP_ASSIGN_OR_RETURN(const bool follows, index->follow(bank));
    QDEDUP_ASSIGN_OR_RETURN(const bool done, follows ? checker.kept().find_by(*index) : Result<bool>(false));
    if (done) return {};
  }
  return checker.kept().find_in_bank();
}

}  // namespace

Result<std::vector<CheckOutcome>> check_questions(std::span<const AskedQuestion> questions, db::Store& store,
                                                  db::Bank& bank, engine::DecisionSettings settings,
                                                  BankIndex* index, const GoOn& go_on) {
  QDEDUP_TRY(expect_bank_here(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(settings.contrast, db::with_weights(std::move(settings.contrast), store));
  QDEDUP_ASSIGN_OR_RETURN(const markup::Options text, db::expect_current_options(bank));
  if (index != nullptr && index->is_of(settings.duplicates)) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<Outcomes> outcomes,
                            checked_by(*index, questions, store, bank, settings, text, go_on));
    if (outcomes) return *std::move(outcomes);
  }
  QuestionChecker checker(questions, store, bank, settings, text, go_on);
  QDEDUP_TRY(checker.kept().find_in_bank());
  return outcomes_of(checker, bank, nullptr);
}

Result<std::vector<CheckOutcome>> add_new_questions(std::span<const AskedQuestion> questions,
                                                    db::Store& store, db::StoreWriter& writing,
                                                    db::Bank& bank, engine::DecisionSettings settings,
                                                    const markup::Options& wanted, const Clock& clock,
                                                    BankIndex* index, const GoOn& go_on) {
  QDEDUP_TRY(expect_bank_here(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(settings.contrast, db::with_weights(std::move(settings.contrast), store));
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  QDEDUP_ASSIGN_OR_RETURN(const markup::Options text, options_for_adding(store, bank, wanted));
  QDEDUP_TRY(follow_bank(store, writing, bank, settings.duplicates, clock));
  if (index != nullptr && !index->is_of(settings.duplicates)) index = nullptr;
  QuestionChecker checker(questions, store, bank, settings, text, go_on, max_duplicates);
  QDEDUP_TRY(compare(checker, index, bank));
  const auto now = std::chrono::floor<std::chrono::seconds>(clock.now());
  QDEDUP_TRY(checker.choose_new(now.time_since_epoch().count()));
  QDEDUP_ASSIGN_OR_RETURN(const Characters characters, characters_of(bank, index));
  QDEDUP_ASSIGN_OR_RETURN(Outcomes outcomes, checker.outcomes(*characters));
  if (!checker.arriving().empty()) {
    QDEDUP_TRY(store_arrivals(checker, *characters, store, writing, bank, settings.duplicates, clock));
  }
  QDEDUP_TRY(add_classes(questions, store, bank, outcomes));
  return outcomes;
}

}  // namespace qdedup::iteration
