#include "iteration/bank_index.h"

#include <optional>
#include <utility>

#include "base/sort_unique.h"
#include "db/bank_changes.h"
#include "db/bank_scan.h"
#include "import/question_characters.h"
#include "refine/parts.h"
#include "refine/sign_rules.h"

namespace qdedup::iteration {
namespace {

// The bank as it is handed to the index, with a word to `go_on` between.
finder::QuestionIndex::Source source_of(db::Bank& bank, const std::function<Status()>& go_on) {
  return [&](const finder::QuestionIndex::Take& take) -> Status {
    constexpr std::size_t between = 1024;
    std::size_t questions = 0;
    return db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
      if (questions++ % between == 0) QDEDUP_TRY(go_on());
      return take(question.id, question.sign_fingerprint, question.text);
    });
  };
}

}  // namespace

Result<std::shared_ptr<BankIndex>> BankIndex::build(db::Bank& bank, const refine::DuplicateSettings& settings,
                                                    const Limits& limits,
                                                    const std::function<Status()>& go_on) {
  const Result<db::BankView> view = db::BankView::begin(bank);
  if (!view.ok()) return view.error();
  const Result<std::int64_t> change = db::newest_change(bank);
  if (!change.ok()) return change.error();
  const Result<std::string> version = bank.fingerprint_version();
  if (!version.ok()) return version.error();
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  if (*questions > 0 && *version != refine::sign_rules_version()) {
    return Error{ErrorCode::busy, bank.path() + ": its fingerprints are of another version"};
  }
  Result<finder::QuestionIndex> index = finder::QuestionIndex::build(
      source_of(bank, go_on), settings, {.bytes = limits.bytes, .few = limits.few});
  if (!index.ok()) return std::move(index).error();
  return std::shared_ptr<BankIndex>(new BankIndex(*std::move(index), *change, settings, limits.most_changes));
}

Result<bool> BankIndex::follow(db::Bank& bank) {
  const Result<std::int64_t> newest = db::newest_change(bank);
  if (!newest.ok()) return newest.error();
  while (true) {
    const State state = this->state();
    if (state.change >= *newest) return state.change == *newest;
    Result<bool> possible = can_follow(bank);
    if (!possible.ok() || !*possible) return possible;
    const Result<Changes> changes = changes_of(bank, state);
    if (!changes.ok()) return changes.error();
    if (!*changes) outgrown_ = true;
    if (outgrown_) return false;
    add(**changes, state.change, *newest);
  }
}

// While fingerprints are computed anew the bank has no version of them, and what was changed before may not
// be among the changes yet (db::Bank::refresh_fingerprints).
Result<bool> BankIndex::can_follow(db::Bank& bank) const {
  if (outgrown_) return false;
  const Result<std::string> version = bank.fingerprint_version();
  if (!version.ok()) return version.error();
  return *version == refine::sign_rules_version();
}

BankIndex::State BankIndex::state() const {
  const std::shared_lock lock(mutex_);
  return {change_, changed_.size()};
}

// What was changed behind that state, looked up without the lock; nothing where it is too much.
Result<BankIndex::Changes> BankIndex::changes_of(db::Bank& bank, const State& state) const {
  const auto changed = db::changed_since(bank, state.change, most_changes_ - state.changed);
  if (!changed.ok()) return changed.error();
  if (!*changed) return Changes();
  finder::LooseQuestions changes;
  for (const QuestionId id : **changed) {
    const Result<std::optional<db::BankQuestion>> question = bank.find(id);
    if (!question.ok()) return question.error();
    if (!*question || (*question)->text.empty()) continue;
    const refine::Parts parts = refine::parts_of((*question)->text);
    changes.add(id, refine::sign_fingerprint(parts), parts.han);
  }
  return Changes(std::move(changes));
}

// Adds what was changed from `since` to `newest`, unless another thread was faster.
void BankIndex::add(const finder::LooseQuestions& changes, std::int64_t since, std::int64_t newest) {
  const std::unique_lock lock(mutex_);
  if (change_ != since) return;
  changed_.add(changes);
  changes_ = changed_.size();
  change_ = newest;
}

std::vector<QuestionId> BankIndex::find(std::uint64_t sign_fingerprint, const finder::HanQuery& query,
                                        finder::QuestionIndex::Scratch& scratch) const {
  std::vector<QuestionId> found;
  index_.find(sign_fingerprint, query, scratch, found);
  {
    const std::shared_lock lock(mutex_);
    changed_.find(sign_fingerprint, query, found);
  }
  sort_unique(found);
  return found;
}

Result<std::shared_ptr<const refine::CharacterCounts>> BankIndex::characters(db::Bank& bank) {
  const Result<std::int64_t> newest = db::newest_change(bank);
  if (!newest.ok()) return newest.error();
  const std::lock_guard lock(characters_mutex_);
  if (characters_change_ != *newest) {
    const Result<db::CharacterSums> sums = bank.character_sums();
    if (!sums.ok()) return sums.error();
    characters_ = std::make_shared<const refine::CharacterCounts>(import::character_counts(*sums));
    characters_change_ = *newest;
  }
  return characters_;
}

}  // namespace qdedup::iteration
