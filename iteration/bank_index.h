#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "finder/question_index.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// An in-memory index that finds the questions of the bank that may be duplicates of a given one. It follows
// the bank: later changes are listed beside the index. It names every duplicate, but also questions that were
// changed or removed since, so look up all results in the bank.
//
// Thread-safe, if each thread uses its own connection.
class BankIndex {
 public:
  struct Limits {
    std::size_t bytes = 0;              // of memory
    std::size_t few = 1500;             // finder::QuestionIndex::Limits
    std::size_t max_changes = 300'000;  // more, and it stops following; an eighth of them is a crowd
  };

  // Reads the bank four times; `bank` must be read-only. `go_on` is called now and then; if it returns an
  // error, building stops. ErrorCode::config if the index does not fit, ErrorCode::busy if the bank was made
  // by another version.
  static Result<std::shared_ptr<BankIndex>> build(db::Bank& bank, const refine::DuplicateSettings& settings,
                                                  const Limits& limits, const std::function<Status()>& go_on);

  // Adds changes made since. Returns whether the index then covers everything that `bank` sees: false if too
  // much was changed, if `bank` sees an older state, or while its fingerprints are being recomputed. What
  // `bank` sees must not change until all look-ups are done (take a db::Snapshot, unless nobody else writes),
  // and must not be older than the index, so take the snapshot after getting the index. Others can search
  // meanwhile.
  Result<bool> follow(db::Bank& bank);

  // Returns ids, ascending. `query` must be made for settings().
  [[nodiscard]] std::vector<QuestionId> find(std::uint64_t sign_fingerprint, const finder::HanQuery& query,
                                             finder::QuestionIndex::Scratch& scratch) const;

  Result<std::shared_ptr<const refine::CharacterCounts>> characters(db::Bank& bank);

  // So much has changed that it should be rebuilt, or is no longer of use. Neither function blocks.
  [[nodiscard]] bool is_crowded() const { return changes_ >= max_changes_ / crowds_per_limit; }
  [[nodiscard]] bool is_outgrown() const { return outgrown_; }

  [[nodiscard]] const refine::DuplicateSettings& settings() const { return settings_; }
  [[nodiscard]] bool is_of(const refine::DuplicateSettings& settings) const { return settings == settings_; }
  // The number of questions; changed ones count twice.
  [[nodiscard]] std::size_t size() const { return index_.size() + changes_; }
  [[nodiscard]] std::size_t bytes() const { return index_.bytes(); }  // the changes take little

 private:
  static constexpr std::size_t crowds_per_limit = 8;

  BankIndex(finder::QuestionIndex index, std::int64_t change, const refine::DuplicateSettings& settings,
            std::size_t max_changes)
      : index_(std::move(index)), settings_(settings), max_changes_(max_changes), change_(change) {}

  Result<finder::IndexDelta> read(std::span<const QuestionId> ids, db::Bank& bank) const;

  finder::QuestionIndex index_;
  refine::DuplicateSettings settings_;
  std::size_t max_changes_;

  std::atomic<std::size_t> changes_ = 0;
  std::atomic<bool> outgrown_ = false;

  mutable std::shared_mutex mutex_;  // for the members below
  std::int64_t change_;              // the newest included (db::newest_change)
  finder::IndexDelta changed_;

  std::mutex characters_mutex_;  // for the members below
  std::int64_t characters_change_ = -1;
  std::shared_ptr<const refine::CharacterCounts> characters_;
};

}  // namespace qdedup::iteration
