#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "finder/question_index.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// Tells from memory which questions of the bank may be duplicates of a given one. It follows the bank: what
// was changed since it was built is in a list beside the index. What was changed or removed is still in it,
// so whatever it names must be looked up in the bank; but it names every duplicate.
//
// On any thread, with a connection of its own.
class BankIndex {
 public:
  struct Limits {
    std::size_t bytes = 0;              // of memory
    std::size_t few = 1500;             // finder::QuestionIndex::Limits
    std::size_t max_changes = 300'000;  // beyond which it does not follow; an eighth of them is a crowd
  };

  // Reads the bank four times; `bank` must be read-only. `go_on` is called now and then, and its error ends
  // the work. ErrorCode::config where the index does not fit, ErrorCode::busy where the bank was made by
  // another version.
  static Result<std::shared_ptr<BankIndex>> build(db::Bank& bank, const refine::DuplicateSettings& settings,
                                                  const Limits& limits, const std::function<Status()>& go_on);

  // Adds what was changed since. Returns whether it then names all that `bank` sees: false where too much was
  // changed, where `bank` sees an older state, or while its fingerprints are being computed anew. What `bank`
  // sees must not change until all is looked up (db::Snapshot, or no one else writes), and must be no older
  // than the index: the view has to begin after the index was at hand. Others can search meanwhile.
  Result<bool> follow(db::Bank& bank);

  // Ids, ascending. `query` must be of settings().
  [[nodiscard]] std::vector<QuestionId> find(std::uint64_t sign_fingerprint, const finder::HanQuery& query,
                                             finder::QuestionIndex::Scratch& scratch) const;

  Result<std::shared_ptr<const refine::CharacterCounts>> characters(db::Bank& bank);

  // So much was changed that it should be built anew, or that it is of no more use. Neither waits.
  [[nodiscard]] bool is_crowded() const { return changes_ >= max_changes_ / crowds_per_limit; }
  [[nodiscard]] bool is_outgrown() const { return outgrown_; }

  [[nodiscard]] const refine::DuplicateSettings& settings() const { return settings_; }
  [[nodiscard]] bool is_of(const refine::DuplicateSettings& settings) const {
    return settings.min_similarity == settings_.min_similarity && settings.similarity == settings_.similarity;
  }
  // Questions; those that were changed count twice.
  [[nodiscard]] std::size_t size() const { return index_.size() + changes_; }
  [[nodiscard]] std::size_t bytes() const { return index_.bytes(); }  // what was added takes little

 private:
  static constexpr std::size_t crowds_per_limit = 8;

  BankIndex(finder::QuestionIndex index, std::int64_t change, const refine::DuplicateSettings& settings,
            std::size_t max_changes)
      : index_(std::move(index)), settings_(settings), max_changes_(max_changes), change_(change) {}

  struct State {
    std::int64_t change;  // the newest that is in
    std::size_t changed;  // questions
  };
  using Changes = std::optional<finder::IndexDelta>;

  [[nodiscard]] State state() const;
  Result<bool> can_follow(db::Bank& bank) const;
  Result<Changes> changes_of(db::Bank& bank, const State& state) const;
  void add(const finder::IndexDelta& changes, std::int64_t since, std::int64_t newest);

  finder::QuestionIndex index_;
  refine::DuplicateSettings settings_;
  std::size_t max_changes_;

  std::atomic<std::size_t> changes_ = 0;
  std::atomic<bool> outgrown_ = false;

  mutable std::shared_mutex mutex_;  // of what follows
  std::int64_t change_;              // the newest that is in (db::newest_change)
  finder::IndexDelta changed_;

  std::mutex characters_mutex_;  // of what follows
  std::int64_t characters_change_ = -1;
  std::shared_ptr<const refine::CharacterCounts> characters_;
};

}  // namespace qdedup::iteration
