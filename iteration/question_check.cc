#include "iteration/question_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "db/bank_import.h"
#include "db/bank_reading.h"
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "db/learned_weights.h"
#include "db/snapshot.h"
#include "finder/compact_text_store.h"
#include "finder/exact_index.h"
#include "iteration/draft.h"
#include "markup/compared.h"
#include "refine/character_counts.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

// Beyond this many questions plus this fraction of the bank, reading all of it is faster.
constexpr std::size_t max_read_at_once = 5000;
constexpr std::size_t max_read_part = 100;
// Of the bank, between two calls of go_on(), besides those that are compared.
constexpr std::uint64_t rows_at_a_time = 1024;

Error changed_meanwhile() { return {ErrorCode::busy, "the bank was changed meanwhile; try again"}; }

using Outcomes = std::vector<CheckOutcome>;

// Compares some questions with the bank, and can then choose those to add. All constructor arguments must
// outlive it.
class QuestionChecker {
 public:
  QuestionChecker(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                  engine::DecisionSettings settings, const markup::Options& text, const GoOn& go_on)
      : questions_(questions),
        deletions_(store),
        bank_(bank),
        settings_(std::move(settings)),
        go_on_(go_on),
        duplicate_of_(questions.size()),
        outcomes_(questions.size()) {
    for (const AskedQuestion& question : questions) {
      bank_.report_activity();
      asked_.push_back(db::bank_question(question.id.value_or(0), question.text, question.answer, text));
    }
    for (std::uint32_t number = 0; number < questions.size(); ++number) group(number);
  }
  QuestionChecker(const QuestionChecker&) = delete;
  QuestionChecker& operator=(const QuestionChecker&) = delete;

  // Reads the questions that the index names, which must be up to date with the bank. False, with nothing
  // found, if there are too many.
  Result<bool> compare_by(const BankIndex& index) {
    std::size_t left = max_read_at_once + index.size() / max_read_part;
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      if (asked_[number].text.empty()) continue;
      QDEDUP_ASSIGN_OR_RETURN(const bool compared, compare_by(index, number, left));
      if (compared) continue;
      duplicate_of_.assign(questions_.size(), std::nullopt);
      return false;
    }
    return true;
  }

  // Reads the whole bank.
  Status compare_with_bank() {
    index_groups();
    std::uint64_t rows = 0;
    return db::scan_questions(bank_, [&](const db::ScannedQuestion& scanned) -> Status {
      if (++rows % rows_at_a_time == 0) QDEDUP_TRY(go_on_());
      const std::uint64_t fingerprint = compared_fingerprint(scanned.sign_fingerprint);
      if (!groups_.contains(fingerprint)) return {};
      return take(scanned.id, fingerprint, compared_parts(scanned.text));
    });
  }

  // Adds the new questions to `entering`, one after another.
  Status choose_new(std::vector<db::BankQuestion>& entering) {
    index_groups();
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      if (duplicate_of_[number]) continue;
      QDEDUP_TRY(go_on_());
      QDEDUP_ASSIGN_OR_RETURN(outcomes_[number].refused, refusal_of(number));
      if (outcomes_[number].refused.empty()) enter(number, entering);
    }
    return {};
  }

  // The outcomes, with the rows of the duplicates found.
  Result<Outcomes> outcomes(std::span<const db::BankQuestion> entering,
                            const refine::CharacterCounts& characters) {
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      if (duplicate_of_[number]) QDEDUP_TRY(annotate(number, entering, characters));
    }
    return std::move(outcomes_);
  }

 private:
  // The questions with the same signs, with an index for finding similar Han parts among them. The first of
  // those with equal parts stands for all of them.
  struct Group {
    std::u32string signs;
    std::unordered_map<std::u32string, std::uint32_t> firsts;  // by Han part
    std::vector<std::uint32_t> numbers;                        // of the firsts
    std::unique_ptr<finder::ExactIndex> index;
  };

  // Questions with equal parts. Those for which no duplicate was found yet come first.
  struct Equals {
    std::vector<std::uint32_t> numbers;
    std::ptrdiff_t open = 0;
  };

  [[nodiscard]] refine::Parts compared_parts(std::string_view text) const {
    return refine::compared_parts(text, settings_.duplicates);
  }
  [[nodiscard]] std::uint64_t compared_fingerprint(std::uint64_t sign_fingerprint) const {
    return refine::compared_fingerprint(sign_fingerprint, settings_.duplicates);
  }

  Group* group_of(std::uint64_t fingerprint, std::u32string_view signs) {
    const auto [first, last] = groups_.equal_range(fingerprint);
    const auto found =
        std::find_if(first, last, [&](const auto& entry) { return entry.second.signs == signs; });
    return found == last ? nullptr : &found->second;
  }

  void group(std::uint32_t number) {
    const db::BankQuestion& question = asked_[number];
    bank_.report_activity();
    refine::Parts parts = compared_parts(question.text);
    hans_.add(parts.han);
    if (question.text.empty()) return;
    const std::uint64_t fingerprint = compared_fingerprint(question.sign_fingerprint);
    Group* group = group_of(fingerprint, parts.signs);
    if (group == nullptr) {
      group = &groups_.emplace(fingerprint, Group())->second;
      group->signs = std::move(parts.signs);
    }
    const auto [first, is_new] = group->firsts.try_emplace(std::move(parts.han), number);
    if (is_new) group->numbers.push_back(number);
    Equals& equals = equals_[first->second];
    equals.numbers.push_back(number);
    ++equals.open;
  }

  void index_groups() {
    for (auto& [fingerprint, group] : groups_) {
      if (group.index) continue;
      group.index = std::make_unique<finder::ExactIndex>(hans_, settings_.duplicates, group.numbers);
      for (const std::uint32_t number : group.numbers) group.index->add(number);
    }
  }

  // The firsts among them.
  std::vector<std::uint32_t> duplicates_of(const refine::Parts& parts, std::uint64_t fingerprint) {
    const Group* const group = group_of(fingerprint, parts.signs);
    if (group == nullptr) return {};
    return group->index->find_all(parts.han, scratch_, [this] { bank_.report_activity(); });
  }

  // Reads the texts that may be duplicates of the question, at most `left`, which it decreases.
  Result<bool> compare_by(const BankIndex& index, std::uint32_t number, std::size_t& left) {
    const db::BankQuestion& question = asked_[number];
    const refine::Parts parts = compared_parts(question.text);
    const std::uint64_t fingerprint = compared_fingerprint(question.sign_fingerprint);
    const finder::HanQuery query(parts.han, settings_.duplicates);
    for (const QuestionId id : index.find(fingerprint, query, index_scratch_)) {
      if (id == question.id) continue;
      if (left-- == 0) return false;
      QDEDUP_TRY(go_on_());
      QDEDUP_ASSIGN_OR_RETURN(const bool found, is_kept_duplicate(parts, fingerprint, id));
      bank_.report_activity();  // the bank's statements are too short to report any
      if (!found) continue;
      duplicate_of_[number] = id;
      break;
    }
    return true;
  }

  Result<bool> is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint, QuestionId id) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> other, bank_.find(id));
    if (!other || other->text.empty() || compared_fingerprint(other->sign_fingerprint) != fingerprint)
      return false;
    if (!refine::compare(parts, compared_parts(other->text), settings_.duplicates).duplicate) return false;
    return is_kept(id);
  }

  // Takes a question of the bank; ids must ascend.
  Status take(QuestionId id, std::uint64_t fingerprint, const refine::Parts& parts) {
    QDEDUP_TRY(go_on_());
    const auto is_itself = [&](std::uint32_t number) { return questions_[number].id == id; };
    std::vector<std::uint32_t> found = duplicates_of(parts, fingerprint);
    std::erase_if(found, [&](std::uint32_t first) {
      const Equals& equals = equals_.at(first);
      return std::all_of(equals.numbers.begin(), equals.numbers.begin() + equals.open, is_itself);
    });
    if (found.empty()) return {};
    QDEDUP_ASSIGN_OR_RETURN(const bool kept, is_kept(id));
    if (!kept) return {};
    for (const std::uint32_t first : found) {
      Equals& equals = equals_.at(first);
      const auto open_end = equals.numbers.begin() + equals.open;
      const auto found_begin = std::partition(equals.numbers.begin(), open_end, is_itself);
      std::for_each(found_begin, open_end, [&](std::uint32_t number) { duplicate_of_[number] = id; });
      equals.open = found_begin - equals.numbers.begin();
    }
    return {};
  }

  // A deletion that is no longer valid will be withdrawn by the next iteration.
  Result<bool> is_kept(QuestionId id) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> deletion, deletions_.open_of(id));
    if (!deletion) return true;
    QDEDUP_ASSIGN_OR_RETURN(const db::Standing standing, db::standing_of(*deletion, bank_));
    return standing != db::Standing::holds;
  }

  Result<std::string> refusal_of(std::uint32_t number) {
    const AskedQuestion& question = questions_[number];
    if (asked_[number].is_too_long) return std::string(markup::too_long_rule);
    if (asked_[number].text.empty()) return std::string("it has no text");
    const refine::Parts parts = compared_parts(asked_[number].text);
    if (parts.signs.empty() && parts.han.empty()) return std::string("nothing of its text is compared");
    if (!question.id) return std::string("a question enters with an id only");
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> known, bank_.find(*question.id));
    if (known || entered_.contains(*question.id)) return std::string("the id is in the bank already");
    return std::string();
  }

  void enter(std::uint32_t number, std::vector<db::BankQuestion>& entering) {
    const db::BankQuestion& question = asked_[number];
    entered_[question.id] = entering.size();
    entering.push_back(question);
    outcomes_[number].added = true;
    for (const std::uint32_t first :
         duplicates_of(compared_parts(question.text), compared_fingerprint(question.sign_fingerprint))) {
      for (const std::uint32_t similar : equals_.at(first).numbers) {
        std::optional<QuestionId>& duplicate_of = duplicate_of_[similar];
        if (questions_[similar].id == question.id) continue;
        if (duplicate_of ? question.id < *duplicate_of : similar > number) duplicate_of = question.id;
      }
    }
  }

  Status annotate(std::uint32_t number, std::span<const db::BankQuestion> entering,
                  const refine::CharacterCounts& characters) {
    QDEDUP_TRY(go_on_());
    const auto entered = entered_.find(*duplicate_of_[number]);
    std::optional<db::BankQuestion> keeper;
    if (entered != entered_.end()) {
      keeper = entering[entered->second];
    } else {
      QDEDUP_ASSIGN_OR_RETURN(keeper, bank_.find(*duplicate_of_[number]));
    }
    if (!keeper) return changed_meanwhile();
    const db::BankQuestion& question = asked_[number];
    bank_.report_activity();
    outcomes_[number].duplicate_of = engine::annotate(
        {question.id, {question.text, question.answer}, settings_.duplicates},
        {keeper->id, {keeper->text, keeper->answer}, settings_.duplicates}, {settings_, characters});
    return outcomes_[number].duplicate_of ? Status() : changed_meanwhile();
  }

  std::span<const AskedQuestion> questions_;
  db::Deletions deletions_;
  db::Bank& bank_;
  engine::DecisionSettings settings_;
  const GoOn& go_on_;
  finder::CompactTextStore hans_;
  std::vector<db::BankQuestion> asked_;  // the same as the bank would store them; id 0 if there is none
  std::unordered_multimap<std::uint64_t, Group> groups_;  // by sign fingerprint
  std::unordered_map<std::uint32_t, Equals> equals_;      // by the first of them
  std::map<QuestionId, std::size_t> entered_;             // position among those that enter, by id
  std::vector<std::optional<QuestionId>> duplicate_of_;   // by number
  Outcomes outcomes_;
  finder::ExactIndex::Scratch scratch_;
  finder::QuestionIndex::Scratch index_scratch_;
};

// An incomplete bank cannot show which questions are new.
Status expect_no_interrupted_import(db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> interrupted, bank.interrupted_import());
  if (!interrupted) return {};
  return Error{ErrorCode::busy,
               bank.path() + ": the import of " + *interrupted + " was interrupted; run it again first"};
}

// The same for adding questions to the bank. Imports and iterations take care of outdated sketches.
Result<markup::Options> options_for_adding(db::Bank& bank, const markup::Options& wanted) {
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(bank));
  if (options) return *options;
  QDEDUP_TRY(db::bring_texts_up_to_date(bank, wanted, no_progress));
  return wanted;
}

Result<Outcomes> outcomes_of(QuestionChecker& checker, std::span<const db::BankQuestion> entering,
                             db::Bank& bank, BankIndex* index) {
  if (index != nullptr) {
    QDEDUP_ASSIGN_OR_RETURN(const auto characters, index->characters(bank));
    return checker.outcomes(entering, *characters);
  }
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, bank.character_counts());
  return checker.outcomes(entering, characters);
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
    QDEDUP_ASSIGN_OR_RETURN(const bool done, checker.compare_by(index));
    if (!done) break;
    QDEDUP_ASSIGN_OR_RETURN(Outcomes outcomes, outcomes_of(checker, {}, bank, &index));
    return std::optional(std::move(outcomes));
  }
  return std::optional<Outcomes>();
}

// Uses the index if possible. Nobody else changes the bank meanwhile.
Status compare(QuestionChecker& checker, BankIndex* index, db::Bank& bank) {
  if (index != nullptr) {
    QDEDUP_ASSIGN_OR_RETURN(const bool follows, index->follow(bank));
    QDEDUP_ASSIGN_OR_RETURN(const bool done, follows ? checker.compare_by(*index) : Result<bool>(false));
    if (done) return {};
  }
  return checker.compare_with_bank();
}

// The index, if it was built for these settings; otherwise null.
BankIndex* usable(BankIndex* index, const engine::DecisionSettings& settings) {
  return index != nullptr && index->is_of(settings.duplicates) ? index : nullptr;
}

}  // namespace

Result<std::vector<CheckOutcome>> check_questions(std::span<const AskedQuestion> questions, db::Store& store,
                                                  db::Bank& bank, engine::DecisionSettings settings,
                                                  BankIndex* index, const GoOn& go_on) {
  QDEDUP_TRY(expect_bank_here(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(settings.contrast, db::with_weights(std::move(settings.contrast), store));
  QDEDUP_ASSIGN_OR_RETURN(const markup::Options text, db::expect_current_options(bank));
  if (BankIndex* const usable_index = usable(index, settings)) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<Outcomes> outcomes,
                            checked_by(*usable_index, questions, store, bank, settings, text, go_on));
    if (outcomes) return *std::move(outcomes);
  }
  QuestionChecker checker(questions, store, bank, settings, text, go_on);
  QDEDUP_TRY(checker.compare_with_bank());
  return outcomes_of(checker, {}, bank, nullptr);
}

Result<std::vector<CheckOutcome>> add_new_questions(std::span<const AskedQuestion> questions,
                                                    db::Store& store, db::Bank& bank,
                                                    engine::DecisionSettings settings,
                                                    const markup::Options& wanted, const Clock& clock,
                                                    BankIndex* index, const GoOn& go_on) {
  QDEDUP_TRY(expect_bank_here(store, bank));
  QDEDUP_ASSIGN_OR_RETURN(settings.contrast, db::with_weights(std::move(settings.contrast), store));
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  QDEDUP_ASSIGN_OR_RETURN(const markup::Options text, options_for_adding(bank, wanted));
  QuestionChecker checker(questions, store, bank, settings, text, go_on);
  QDEDUP_TRY(compare(checker, usable(index, settings), bank));
  std::vector<db::BankQuestion> entering;
  QDEDUP_TRY(checker.choose_new(entering));
  QDEDUP_ASSIGN_OR_RETURN(Outcomes outcomes, outcomes_of(checker, entering, bank, usable(index, settings)));
  if (!entering.empty()) {
    QDEDUP_TRY(db::BankImport::load_at_once(bank, "check", timestamp(clock.now()), entering));
  }
  return outcomes;
}

}  // namespace qdedup::iteration
