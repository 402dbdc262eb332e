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
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "db/learned_weights.h"
#include "db/snapshot.h"
#include "finder/compact_text_store.h"
#include "finder/exact_index.h"
#include "iteration/arriving.h"
#include "iteration/draft.h"
#include "markup/compared.h"
#include "refine/character_counts.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

// Beyond this many questions plus this fraction of the bank, reading all of it is faster.
constexpr std::size_t max_read_at_once = 5000;
constexpr std::size_t max_read_part = 100;
// So many kept duplicates tell that there is one besides a question itself, and which is the smallest.
constexpr std::size_t enough_to_tell = 2;
// Of the bank, between two calls of go_on(), besides those that are compared.
constexpr std::uint64_t rows_at_a_time = 1024;

Error changed_meanwhile() { return {ErrorCode::busy, "the bank was changed meanwhile; try again"}; }

using Outcomes = std::vector<CheckOutcome>;

// Compares some questions with the bank, and can then choose those to add. All constructor arguments must
// outlive it.
class QuestionChecker {
 public:
  QuestionChecker(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                  engine::DecisionSettings settings, const markup::Options& text, const GoOn& go_on,
                  std::size_t most_kept = enough_to_tell)
      : questions_(questions),
        deletions_(store),
        arrivals_(store),
        bank_(bank),
        settings_(std::move(settings)),
        go_on_(go_on),
        most_kept_(most_kept),
        entered_near_(questions.size()),
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
    for (auto& [first, equals] : equals_) {
      QDEDUP_ASSIGN_OR_RETURN(const bool compared, compare_by(index, first, equals, left));
      if (compared) continue;
      for (auto& each : equals_) each.second.kept.clear();
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

  // Chooses the questions that enter the bank, and those that join their classes, one after another.
  Status choose_new(std::int64_t now) {
    index_groups();
    std::vector<QuestionId> ids;
    for (const db::BankQuestion& question : asked_) ids.push_back(question.id);
    QDEDUP_ASSIGN_OR_RETURN(auto arrived_texts, arrivals_.texts_of(ids));
    arrived_texts_ = std::move(arrived_texts);
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      QDEDUP_TRY(go_on_());
      std::vector<QuestionId> duplicates = duplicates_so_far(number);
      outcomes_[number].joined = has_arrived_before(number);
      if (outcomes_[number].joined) continue;
      QDEDUP_ASSIGN_OR_RETURN(outcomes_[number].refused, refusal_of(number));
      if (!outcomes_[number].refused.empty()) continue;
      std::ranges::sort(duplicates);
      asked_[number].arrived_at = now;
      arrival_numbers_[asked_[number].id] = number;
      arriving_.push_back({asked_[number], now, duplicates.empty(), std::move(duplicates)});
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
      if (!duplicate_of) continue;
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
  // The questions with the same signs, with an index for finding similar Han parts among them. The first of
  // those with equal parts stands for all of them.
  struct Group {
    std::u32string signs;
    std::unordered_map<std::u32string, std::uint32_t> firsts;  // by Han part
    std::vector<std::uint32_t> numbers;                        // of the firsts
    std::unique_ptr<finder::ExactIndex> index;
  };

  // Questions with equal parts.
  struct Equals {
    std::vector<std::uint32_t> numbers;
    std::vector<QuestionId> kept;  // of the bank, that they duplicate, ascending; perhaps one of them itself
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
    first_of_[number] = first->second;
    equals_[first->second].numbers.push_back(number);
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

  [[nodiscard]] bool is_sought(const Equals& equals, QuestionId id) const {
    if (equals.kept.size() == most_kept_) return false;
    return equals.numbers.size() > 1 || questions_[equals.numbers.front()].id != id;
  }

  // Reads the texts that may be duplicates of these questions, at most `left`, which it decreases.
  Result<bool> compare_by(const BankIndex& index, std::uint32_t first, Equals& equals, std::size_t& left) {
    const std::uint64_t fingerprint = compared_fingerprint(asked_[first].sign_fingerprint);
    const refine::Parts parts = compared_parts(asked_[first].text);
    const finder::HanQuery query(parts.han, settings_.duplicates);
    for (const QuestionId id : index.find(fingerprint, query, index_scratch_)) {
      if (!is_sought(equals, id)) continue;
      if (left-- == 0) return false;
      QDEDUP_TRY(go_on_());
      QDEDUP_ASSIGN_OR_RETURN(const bool found, is_kept_duplicate(parts, fingerprint, id));
      bank_.report_activity();  // the bank's statements are too short to report any
      if (found) equals.kept.push_back(id);
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
    std::vector<std::uint32_t> found = duplicates_of(parts, fingerprint);
    std::erase_if(found, [&](std::uint32_t first) { return !is_sought(equals_.at(first), id); });
    if (found.empty()) return {};
    QDEDUP_ASSIGN_OR_RETURN(const bool kept, is_kept(id));
    if (!kept) return {};
    for (const std::uint32_t first : found) equals_.at(first).kept.push_back(id);
    return {};
  }

  // A deletion that is no longer valid will be withdrawn by the next iteration.
  Result<bool> is_kept(QuestionId id) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> deletion, deletions_.open_of(id));
    if (!deletion) return true;
    QDEDUP_ASSIGN_OR_RETURN(const db::Standing standing, db::standing_of(*deletion, bank_));
    if (standing == db::Standing::keeper_gone) lost_keepers_[id] = deletion->keeper;
    return standing != db::Standing::holds;
  }

  // The questions of the bank, and then those that entered, that it duplicates.
  [[nodiscard]] std::vector<QuestionId> duplicates_so_far(std::uint32_t number) const {
    std::vector<QuestionId> found;
    if (const auto first = first_of_.find(number); first != first_of_.end())
      found = equals_.at(first->second).kept;
    std::erase_if(found, [&](QuestionId id) {
      const auto keeper = lost_keepers_.find(id);
      return id == asked_[number].id ||
             (keeper != lost_keepers_.end() && keeper->second == asked_[number].id);
    });
    found.insert(found.end(), entered_near_[number].begin(), entered_near_[number].end());
    return found;
  }

  // Not of a question that entered, though others that entered later may duplicate it.
  [[nodiscard]] std::optional<QuestionId> smallest_duplicate(std::uint32_t number) const {
    if (outcomes_[number].added) return std::nullopt;
    const std::vector<QuestionId> found = duplicates_so_far(number);
    const auto smallest = std::ranges::min_element(found);
    return smallest == found.end() ? std::nullopt : std::optional(*smallest);
  }

  // Whether the same question arrived before, as a duplicate.
  [[nodiscard]] bool has_arrived_before(std::uint32_t number) const {
    const auto arrived = arrived_texts_.find(asked_[number].id);
    return arrived != arrived_texts_.end() && arrived->second == asked_[number].text;
  }

  Result<std::string> refusal_of(std::uint32_t number) {
    const AskedQuestion& question = questions_[number];
    if (asked_[number].is_too_long) return std::string(markup::too_long_rule);
    if (asked_[number].text.empty()) return std::string("it has no text");
    const refine::Parts parts = compared_parts(asked_[number].text);
    if (parts.signs.empty() && parts.han.empty()) return std::string("nothing of its text is compared");
    if (!question.id) return std::string("a question enters with an id only");
    if (arrived_texts_.contains(*question.id)) return std::string("the id has arrived already");
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> known, bank_.find(*question.id));
    if (known || arrival_numbers_.contains(*question.id)) return std::string("the id is in the bank already");
    return std::string();
  }

  void enter(std::uint32_t number) {
    const db::BankQuestion& question = asked_[number];
    entering_.push_back(question);
    outcomes_[number].added = true;
    for (const std::uint32_t first :
         duplicates_of(compared_parts(question.text), compared_fingerprint(question.sign_fingerprint))) {
      for (const std::uint32_t similar : equals_.at(first).numbers) {
        const bool counts = similar > number || !duplicates_so_far(similar).empty();
        if (counts && questions_[similar].id != question.id) entered_near_[similar].push_back(question.id);
      }
    }
  }

  std::span<const AskedQuestion> questions_;
  db::Deletions deletions_;
  db::Arrivals arrivals_;
  db::Bank& bank_;
  engine::DecisionSettings settings_;
  const GoOn& go_on_;
  finder::CompactTextStore hans_;
  std::vector<db::BankQuestion> asked_;  // the same as the bank would store them; id 0 if there is none
  std::unordered_multimap<std::uint64_t, Group> groups_;       // by sign fingerprint
  std::unordered_map<std::uint32_t, Equals> equals_;           // by the first of them
  std::unordered_map<std::uint32_t, std::uint32_t> first_of_;  // by number, where there is a text
  std::size_t most_kept_;
  // The keepers of listed questions that the bank does not have: it returns where it is asked for.
  std::unordered_map<QuestionId, QuestionId> lost_keepers_;
  std::vector<std::vector<QuestionId>> entered_near_;          // those entering that each number duplicates
  std::map<QuestionId, std::uint32_t> arrival_numbers_;        // of those that arrive, by id
  std::unordered_map<QuestionId, std::string> arrived_texts_;  // of those asked that arrived, and now do
  std::vector<db::Arrival> arriving_;
  std::vector<db::BankQuestion> entering_;
  Outcomes outcomes_;
  finder::ExactIndex::Scratch scratch_;
  finder::QuestionIndex::Scratch index_scratch_;
};

// By which texts of the bank are extracted, for adding questions to it. Imports and iterations take care of
// outdated sketches.
Result<markup::Options> options_for_adding(db::Bank& bank, const markup::Options& wanted) {
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(bank));
  if (options) return *options;
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
      QDEDUP_ASSIGN_OR_RETURN(const auto in_bank, bank.find(id));
      QDEDUP_ASSIGN_OR_RETURN(const auto arrived, db::Arrivals(store).find(id));
      if (!in_bank && !arrived) id = 0;
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
    QDEDUP_ASSIGN_OR_RETURN(const bool done, checker.compare_by(index));
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
  QDEDUP_ASSIGN_OR_RETURN(const markup::Options text, options_for_adding(bank, wanted));
  QDEDUP_TRY(follow_bank(store, writing, bank, settings.duplicates, clock));
  QuestionChecker checker(questions, store, bank, settings, text, go_on, max_duplicates);
  QDEDUP_TRY(compare(checker, usable(index, settings), bank));
  const auto now = std::chrono::floor<std::chrono::seconds>(clock.now());
  QDEDUP_TRY(checker.choose_new(now.time_since_epoch().count()));
  QDEDUP_ASSIGN_OR_RETURN(const Characters characters, characters_of(bank, usable(index, settings)));
  QDEDUP_ASSIGN_OR_RETURN(Outcomes outcomes, checker.outcomes(*characters));
  if (!checker.arriving().empty()) {
    QDEDUP_TRY(store_arrivals(checker, *characters, store, writing, bank, settings.duplicates, clock));
  }
  QDEDUP_TRY(add_classes(questions, store, bank, outcomes));
  return outcomes;
}

}  // namespace qdedup::iteration
