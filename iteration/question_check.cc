#include "iteration/question_check.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "db/bank_changes.h"
#include "db/bank_scan.h"
#include "db/deletions.h"
#include "db/standing.h"
#include "finder/exact_index.h"
#include "import/fingerprints.h"
#include "import/question_characters.h"
#include "refine/contrast.h"
#include "refine/parts.h"
#include "refine/sign_rules.h"

namespace qdedup::iteration {
namespace {

// Beyond so many, and such a part of the bank, it is faster to read it from its beginning to its end.
constexpr std::size_t most_read_at_once = 5000;
constexpr std::size_t most_read_part = 20;

Error changed_meanwhile() { return {ErrorCode::busy, "the bank was changed meanwhile; try again"}; }

// The questions with the same signs, by the Han parts of which others are found.
struct AskedGroup {
  std::u32string signs;
  std::vector<std::uint32_t> numbers;
  std::unique_ptr<finder::ExactIndex> index;
};

// Some questions, to be held against others one by one.
class Check {
 public:
  Check(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
        const refine::DuplicateSettings& settings)
      : questions_(questions),
        deletions_(store),
        bank_(bank),
        settings_(settings),
        outcomes_(questions.size()) {
    for (std::uint32_t number = 0; number < questions.size(); ++number) gather(number);
  }

  // False, with nothing found, where too many texts would have to be read.
  Result<bool> hold_against(const BankIndex& index) {
    std::size_t left = most_read_at_once + index.size() / most_read_part;
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      if (questions_[number].text.empty()) continue;
      const Result<bool> held = hold_against(index, number, left);
      if (!held.ok() || !*held) return held;
    }
    return true;
  }

  Status hold_against_bank() {
    index_groups();
    return db::scan_questions(bank_, [&](const db::ScannedQuestion& scanned) -> Status {
      const auto [first, last] = groups_.equal_range(scanned.sign_fingerprint);
      if (first == last) return {};
      return take(scanned.id, refine::parts_of(scanned.text));
    });
  }

  // Those that are new enter `entering`, one after the other.
  Status choose_new(std::vector<db::BankQuestion>& entering) {
    index_groups();
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      CheckOutcome& outcome = outcomes_[number];
      if (outcome.duplicate_of) continue;
      Result<std::string> refused = refusal_of(number);
      if (!refused.ok()) return std::move(refused).error();
      outcome.refused = *std::move(refused);
      if (outcome.refused.empty()) enter(number, entering);
    }
    return {};
  }

  // Adds distances and contrast to what was found.
  Status describe(std::span<const db::BankQuestion> entering, const refine::CharacterCounts& characters) {
    for (std::uint32_t number = 0; number < questions_.size(); ++number) {
      if (outcomes_[number].duplicate_of) QDEDUP_TRY(describe(number, entering, characters));
    }
    return {};
  }

  std::vector<CheckOutcome> take_outcomes() { return std::move(outcomes_); }

 private:
  // Reads the texts that may be like it, at most `left` of them, which it takes away there.
  Result<bool> hold_against(const BankIndex& index, std::uint32_t number, std::size_t& left) {
    const AskedQuestion& question = questions_[number];
    const refine::Parts parts = refine::parts_of(question.text);
    const finder::HanQuery query(parts.han, settings_);
    for (const QuestionId id : index.find(fingerprints_[number], query, index_scratch_)) {
      if (id == question.id) continue;
      if (left-- == 0) return false;
      const Result<bool> found = is_kept_duplicate(parts, fingerprints_[number], id);
      if (!found.ok()) return found.error();
      if (!*found) continue;
      outcomes_[number].duplicate_of = id;
      break;
    }
    return true;
  }

  Result<bool> is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint, QuestionId id) {
    const Result<std::optional<db::BankQuestion>> other = bank_.find(id);
    if (!other.ok()) return other.error();
    if (!*other || (*other)->text.empty() || (*other)->sign_fingerprint != fingerprint) return false;
    if (!refine::compare(parts, refine::parts_of((*other)->text), settings_).duplicate) return false;
    return is_kept(id);
  }

  void gather(std::uint32_t number) {
    refine::Parts parts = refine::parts_of(questions_[number].text);
    const std::uint64_t fingerprint = refine::sign_fingerprint(parts);
    hans_.add(parts.han);
    fingerprints_.push_back(fingerprint);
    if (questions_[number].text.empty()) return;
    const auto [first, last] = groups_.equal_range(fingerprint);
    const auto found =
        std::find_if(first, last, [&](const auto& entry) { return entry.second.signs == parts.signs; });
    AskedGroup& group = found != last ? found->second : groups_.emplace(fingerprint, AskedGroup())->second;
    if (found == last) group.signs = std::move(parts.signs);
    group.numbers.push_back(number);
  }

  void index_groups() {
    for (auto& [fingerprint, group] : groups_) {
      if (!group.index) index(group);
    }
  }

  void index(AskedGroup& group) {
    group.index = std::make_unique<finder::ExactIndex>(hans_, settings_, group.numbers);
    for (const std::uint32_t number : group.numbers) group.index->add(number);
  }

  // A question of the bank, or one that enters it; ids of the bank ascend.
  Status take(QuestionId id, const refine::Parts& parts) {
    std::optional<bool> kept;  // asked for the first that is similar
    const auto [first, last] = groups_.equal_range(refine::sign_fingerprint(parts));
    for (auto entry = first; entry != last; ++entry) {
      if (entry->second.signs != parts.signs) continue;
      for (const std::uint32_t number : entry->second.index->find_all(parts.han, scratch_)) {
        if (outcomes_[number].duplicate_of || questions_[number].id == id) continue;
        if (!kept) {
          const Result<bool> answer = is_kept(id);
          if (!answer.ok()) return answer.error();
          kept = *answer;
        }
        if (!*kept) return {};
        outcomes_[number].duplicate_of = id;
      }
    }
    return {};
  }

  // A deletion that does not hold any more is withdrawn by the next iteration.
  Result<bool> is_kept(QuestionId id) {
    const Result<std::optional<db::DeletionRow>> deletion = deletions_.open_of(id);
    if (!deletion.ok()) return deletion.error();
    if (!deletion->has_value()) return true;
    const Result<db::Standing> standing = db::standing_of(**deletion, bank_);
    if (!standing.ok()) return standing.error();
    return *standing != db::Standing::holds;
  }

  Result<std::string> refusal_of(std::uint32_t number) {
    if (questions_[number].text.empty()) return std::string("it has no text");
    if (!questions_[number].id) return std::string("a question enters with an id only");
    const Result<std::optional<db::BankQuestion>> known = bank_.find(*questions_[number].id);
    if (!known.ok()) return known.error();
    if (known->has_value() || entered_.contains(*questions_[number].id)) {
      return std::string("the id is in the bank already");
    }
    return std::string();
  }

  void enter(std::uint32_t number, std::vector<db::BankQuestion>& entering) {
    const AskedQuestion& question = questions_[number];
    entered_[*question.id] = entering.size();
    entering.push_back(import::bank_question(*question.id, question.text, question.answer));
    outcomes_[number].added = true;
    const refine::Parts parts = refine::parts_of(question.text);
    const auto [first, last] = groups_.equal_range(fingerprints_[number]);
    for (auto entry = first; entry != last; ++entry) {
      if (entry->second.signs != parts.signs) continue;
      for (const std::uint32_t similar : entry->second.index->find_all(parts.han, scratch_)) {
        std::optional<QuestionId>& duplicate_of = outcomes_[similar].duplicate_of;
        if (questions_[similar].id == question.id) continue;
        if (duplicate_of ? *question.id < *duplicate_of : similar > number) duplicate_of = question.id;
      }
    }
  }

  Status describe(std::uint32_t number, std::span<const db::BankQuestion> entering,
                  const refine::CharacterCounts& characters) {
    CheckOutcome& outcome = outcomes_[number];
    const auto entered = entered_.find(*outcome.duplicate_of);
    std::optional<db::BankQuestion> keeper;
    if (entered != entered_.end()) {
      keeper = entering[entered->second];
    } else {
      Result<std::optional<db::BankQuestion>> found = bank_.find(*outcome.duplicate_of);
      if (!found.ok()) return std::move(found).error();
      keeper = *std::move(found);
    }
    if (!keeper) return changed_meanwhile();
    const AskedQuestion& question = questions_[number];
    const refine::Comparison comparison =
        refine::compare(refine::parts_of(question.text), refine::parts_of(keeper->text), settings_);
    if (!comparison.duplicate) return changed_meanwhile();
    const refine::Contrast contrast =
        refine::contrast({question.text, question.answer}, {keeper->text, keeper->answer}, characters);
    outcome.distance = comparison.distance;
    outcome.length = comparison.length;
    outcome.confidence = name(contrast.confidence);
    outcome.reasons = joined_reasons(contrast);
    return {};
  }

  std::span<const AskedQuestion> questions_;
  db::Deletions deletions_;
  db::Bank& bank_;
  refine::DuplicateSettings settings_;
  finder::HanColumn hans_;
  std::vector<std::uint64_t> fingerprints_;
  std::unordered_multimap<std::uint64_t, AskedGroup> groups_;  // by fingerprint of the signs
  std::map<QuestionId, std::size_t> entered_;                  // id -> place among those that enter
  std::vector<CheckOutcome> outcomes_;
  finder::ExactIndex::Scratch scratch_;
  finder::QuestionIndex::Scratch index_scratch_;
};

// Other rules would hide duplicates.
Status expect_known_fingerprints(db::Bank& bank) {
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  const Result<std::string> version = bank.fingerprint_version();
  if (!version.ok()) return version.error();
  if (*questions == 0 || *version == refine::sign_rules_version()) return {};
  return Error{ErrorCode::busy, bank.path() + ": was made by another version; import or iterate once, first"};
}

// A newer import would make the interrupted one be forgotten.
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

// The questions held against the index; nothing where that is of no use.
Result<std::optional<Check>> held_against(BankIndex* index, std::span<const AskedQuestion> questions,
                                          db::Store& store, db::Bank& bank,
                                          const refine::DuplicateSettings& settings) {
  if (index == nullptr || index->settings() != settings) return std::optional<Check>();
  const Result<bool> follows = index->follow(bank);
  if (!follows.ok()) return follows.error();
  if (!*follows) return std::optional<Check>();
  Check check(questions, store, bank, settings);
  const Result<bool> held = check.hold_against(*index);
  if (!held.ok()) return held.error();
  return *held ? std::optional(std::move(check)) : std::nullopt;
}

using Outcomes = Result<std::vector<CheckOutcome>>;

Outcomes described(Check& check, std::span<const db::BankQuestion> entering, db::Bank& bank,
                   BankIndex* index) {
  const auto characters = characters_of(bank, index);
  if (!characters.ok()) return characters.error();
  QDEDUP_TRY(check.describe(entering, **characters));
  return check.take_outcomes();
}

// Nothing where the index is of no use. It may have followed a newer bank than the view's: then another view
// is.
Result<std::optional<std::vector<CheckOutcome>>> checked_by(BankIndex* index,
                                                            std::span<const AskedQuestion> questions,
                                                            db::Store& store, db::Bank& bank,
                                                            const refine::DuplicateSettings& settings) {
  using Answer = std::optional<std::vector<CheckOutcome>>;
  constexpr int most_views = 3;
  for (int i = 0; index != nullptr && i < most_views; ++i) {
    const Result<db::BankView> view = db::BankView::begin(bank);
    if (!view.ok()) return view.error();
    Result<std::optional<Check>> check = held_against(index, questions, store, bank, settings);
    if (!check.ok()) return std::move(check).error();
    if (!*check) continue;
    Outcomes outcomes = described(**check, {}, bank, index);
    if (!outcomes.ok()) return std::move(outcomes).error();
    return Answer(*std::move(outcomes));
  }
  return Answer();
}

}  // namespace

Result<std::vector<CheckOutcome>> check_questions(std::span<const AskedQuestion> questions, db::Store& store,
                                                  db::Bank& bank, const refine::DuplicateSettings& settings,
                                                  BankIndex* index) {
  QDEDUP_TRY(expect_known_fingerprints(bank));
  Result<std::optional<std::vector<CheckOutcome>>> outcomes =
      checked_by(index, questions, store, bank, settings);
  if (!outcomes.ok()) return std::move(outcomes).error();
  if (*outcomes) return **std::move(outcomes);
  Check check(questions, store, bank, settings);
  QDEDUP_TRY(check.hold_against_bank());
  return described(check, {}, bank, nullptr);
}

Result<std::vector<CheckOutcome>> add_new_questions(std::span<const AskedQuestion> questions,
                                                    db::Store& store, db::Bank& bank,
                                                    const refine::DuplicateSettings& settings,
                                                    const Clock& clock, BankIndex* index) {
  QDEDUP_TRY(expect_no_interrupted_import(bank));
  QDEDUP_TRY(bring_fingerprints_up_to_date(bank));
  Result<std::optional<Check>> check = held_against(index, questions, store, bank, settings);
  if (!check.ok()) return std::move(check).error();
  if (!*check) {
    check->emplace(questions, store, bank, settings);
    QDEDUP_TRY((*check)->hold_against_bank());
  }
  std::vector<db::BankQuestion> entering;
  QDEDUP_TRY((*check)->choose_new(entering));
  Outcomes outcomes = described(**check, entering, bank, index);
  if (outcomes.ok() && !entering.empty()) {
    import::QuestionCharacters tally;
    QDEDUP_TRY(db::BankImport::load_at_once(bank, "check", timestamp(clock.now()), entering, tally));
  }
  return outcomes;
}

}  // namespace qdedup::iteration
