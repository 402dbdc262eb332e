#include "iteration/bank_index.h"

#include <optional>
#include <utility>

#include "base/containers.h"
#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "db/snapshot.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

finder::QuestionIndex::Source source_of(db::Bank& bank, const refine::DuplicateSettings& settings,
                                        const std::function<Status()>& go_on) {
  return [&](const finder::QuestionIndex::Take& take) -> Status {
    constexpr std::size_t between = 1024;
    std::size_t questions = 0;
    return db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
      if (questions++ % between == 0) QDEDUP_TRY(go_on());
      return take(question.id, refine::compared_fingerprint(question.sign_fingerprint, settings),
                  question.text);
    });
  };
}

}  // namespace

Result<std::shared_ptr<BankIndex>> BankIndex::build(db::Bank& bank, const refine::DuplicateSettings& settings,
                                                    const Limits& limits,
                                                    const std::function<Status()>& go_on) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot view, db::Snapshot::take(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t change, db::newest_change(bank));
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (questions > 0 && !options) {
    return Error{ErrorCode::busy, bank.path() + ": its fingerprints are of another version"};
  }
  QDEDUP_ASSIGN_OR_RETURN(finder::QuestionIndex index,
                          finder::QuestionIndex::build(source_of(bank, settings, go_on), settings,
                                                       {.bytes = limits.bytes, .few = limits.few}));
  return std::shared_ptr<BankIndex>(new BankIndex(std::move(index), change, settings, limits.max_changes));
}

// While fingerprints are being recomputed, there is no version, and earlier changes may not be recorded yet
// (db::refresh_texts). Changes are read without the lock; another thread may have added them meanwhile.
Result<bool> BankIndex::follow(db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t newest, db::newest_change(bank));
  while (true) {
    std::shared_lock reading(mutex_);
    const std::int64_t since = change_;
    const std::size_t room = max_changes_ - changed_.size();
    reading.unlock();
    if (since >= newest) return since == newest;
    if (outgrown_) return false;
    QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(bank));
    if (!options) return false;
    QDEDUP_ASSIGN_OR_RETURN(const auto ids, db::changed_since(bank, since, room));
    if (!ids) {
      outgrown_ = true;
      return false;
    }
    QDEDUP_ASSIGN_OR_RETURN(const finder::IndexDelta changes, read(*ids, bank));
    const std::unique_lock adding(mutex_);
    if (change_ != since) continue;
    changed_.add(changes);
    changes_ = changed_.size();
    change_ = newest;
  }
}

Result<finder::IndexDelta> BankIndex::read(std::span<const QuestionId> ids, db::Bank& bank) const {
  finder::IndexDelta changes;
  for (const QuestionId id : ids) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, bank.find(id));
    if (!question || question->text.empty()) continue;
    const refine::Parts parts = refine::compared_parts(question->text, settings_);
    changes.add(id, refine::sign_fingerprint(parts), parts.han);
  }
  return changes;
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
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t newest, db::newest_change(bank));
  const std::lock_guard lock(characters_mutex_);
  if (characters_change_ != newest) {
    QDEDUP_ASSIGN_OR_RETURN(refine::CharacterCounts counts, bank.character_counts());
    characters_ = std::make_shared<const refine::CharacterCounts>(std::move(counts));
    characters_change_ = newest;
  }
  return characters_;
}

}  // namespace qdedup::iteration
