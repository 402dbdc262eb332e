#include "iteration/held_questions.h"

#include <algorithm>
#include <utility>

#include "db/bank_scan.h"
#include "db/standing.h"
#include "import/fingerprints.h"
#include "refine/contrast.h"

namespace qdedup::iteration {
namespace {

// Beyond so many, and such a part of the bank, it is faster to read it from its beginning to its end.
constexpr std::size_t most_read_at_once = 5000;
constexpr std::size_t most_read_part = 100;

Error changed_meanwhile() { return {ErrorCode::busy, "the bank was changed meanwhile; try again"}; }

}  // namespace

HeldQuestions::HeldQuestions(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                             const refine::DuplicateSettings& settings)
    : questions_(questions),
      deletions_(store),
      bank_(bank),
      settings_(settings),
      outcomes_(questions.size()) {
  for (std::uint32_t number = 0; number < questions.size(); ++number) gather(number);
}

Result<bool> HeldQuestions::hold_against(const BankIndex& index) {
  std::size_t left = most_read_at_once + index.size() / most_read_part;
  for (std::uint32_t number = 0; number < questions_.size(); ++number) {
    if (questions_[number].text.empty()) continue;
    const Result<bool> held = hold_against(index, number, left);
    if (!held.ok()) return held.error();
    if (*held) continue;
    outcomes_.assign(questions_.size(), CheckOutcome());
    return false;
  }
  return true;
}

Status HeldQuestions::hold_against_bank() {
  index_groups();
  return db::scan_questions(bank_, [&](const db::ScannedQuestion& scanned) -> Status {
    const auto [first, last] = groups_.equal_range(scanned.sign_fingerprint);
    if (first == last) return {};
    return take(scanned.id, refine::parts_of(scanned.text));
  });
}

Status HeldQuestions::choose_new(std::vector<db::BankQuestion>& entering) {
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

Status HeldQuestions::describe(std::span<const db::BankQuestion> entering,
                               const refine::CharacterCounts& characters) {
  for (std::uint32_t number = 0; number < questions_.size(); ++number) {
    if (outcomes_[number].duplicate_of) QDEDUP_TRY(describe(number, entering, characters));
  }
  return {};
}

// Reads the texts that may be like it, at most `left` of them, which it takes away there.
Result<bool> HeldQuestions::hold_against(const BankIndex& index, std::uint32_t number, std::size_t& left) {
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

Result<bool> HeldQuestions::is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint,
                                              QuestionId id) {
  const Result<std::optional<db::BankQuestion>> other = bank_.find(id);
  if (!other.ok()) return other.error();
  if (!*other || (*other)->text.empty() || (*other)->sign_fingerprint != fingerprint) return false;
  if (!refine::compare(parts, refine::parts_of((*other)->text), settings_).duplicate) return false;
  return is_kept(id);
}

void HeldQuestions::gather(std::uint32_t number) {
  refine::Parts parts = refine::parts_of(questions_[number].text);
  const std::uint64_t fingerprint = refine::sign_fingerprint(parts);
  hans_.add(parts.han);
  fingerprints_.push_back(fingerprint);
  if (questions_[number].text.empty()) return;
  const auto [first, last] = groups_.equal_range(fingerprint);
  const auto found =
      std::find_if(first, last, [&](const auto& entry) { return entry.second.signs == parts.signs; });
  Group& group = found != last ? found->second : groups_.emplace(fingerprint, Group())->second;
  if (found == last) group.signs = std::move(parts.signs);
  group.numbers.push_back(number);
}

void HeldQuestions::index_groups() {
  for (auto& [fingerprint, group] : groups_) {
    if (!group.index) index(group);
  }
}

void HeldQuestions::index(Group& group) {
  group.index = std::make_unique<finder::ExactIndex>(hans_, settings_, group.numbers);
  for (const std::uint32_t number : group.numbers) group.index->add(number);
}

// A question of the bank, or one that enters it; ids of the bank ascend.
Status HeldQuestions::take(QuestionId id, const refine::Parts& parts) {
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
Result<bool> HeldQuestions::is_kept(QuestionId id) {
  const Result<std::optional<db::DeletionRow>> deletion = deletions_.open_of(id);
  if (!deletion.ok()) return deletion.error();
  if (!deletion->has_value()) return true;
  const Result<db::Standing> standing = db::standing_of(**deletion, bank_);
  if (!standing.ok()) return standing.error();
  return *standing != db::Standing::holds;
}

Result<std::string> HeldQuestions::refusal_of(std::uint32_t number) {
  if (questions_[number].text.empty()) return std::string("it has no text");
  if (!questions_[number].id) return std::string("a question enters with an id only");
  const Result<std::optional<db::BankQuestion>> known = bank_.find(*questions_[number].id);
  if (!known.ok()) return known.error();
  if (known->has_value() || entered_.contains(*questions_[number].id)) {
    return std::string("the id is in the bank already");
  }
  return std::string();
}

void HeldQuestions::enter(std::uint32_t number, std::vector<db::BankQuestion>& entering) {
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

Status HeldQuestions::describe(std::uint32_t number, std::span<const db::BankQuestion> entering,
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

}  // namespace qdedup::iteration
