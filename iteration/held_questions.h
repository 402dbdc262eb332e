#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "finder/exact_index.h"
#include "finder/han_column.h"
#include "finder/question_index.h"
#include "iteration/bank_index.h"
#include "iteration/question_check.h"
#include "refine/character_counts.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::iteration {

// Some questions that are held against the bank, and then perhaps enter it. All that it is made of must
// outlive it.
class HeldQuestions {
 public:
  HeldQuestions(std::span<const AskedQuestion> questions, db::Store& store, db::Bank& bank,
                const refine::DuplicateSettings& settings);
  HeldQuestions(const HeldQuestions&) = delete;
  HeldQuestions& operator=(const HeldQuestions&) = delete;

  // Reads what the index names, which follows the bank. False, with nothing found, where that is too much.
  Result<bool> hold_against(const BankIndex& index);

  // Reads the bank from its beginning to its end.
  Status hold_against_bank();

  // Those that are new enter `entering`, one after the other.
  Status choose_new(std::vector<db::BankQuestion>& entering);

  // Adds distances and contrast to what was found.
  Status describe(std::span<const db::BankQuestion> entering, const refine::CharacterCounts& characters);

  std::vector<CheckOutcome> take_outcomes() { return std::move(outcomes_); }

 private:
  // Those with the same signs, by the Han parts of which others are found.
  struct Group {
    std::u32string signs;
    std::vector<std::uint32_t> numbers;
    std::unique_ptr<finder::ExactIndex> index;
  };

  Result<bool> hold_against(const BankIndex& index, std::uint32_t number, std::size_t& left);
  Result<bool> is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint, QuestionId id);
  void gather(std::uint32_t number);
  void index_groups();
  void index(Group& group);
  Status take(QuestionId id, const refine::Parts& parts);
  Result<bool> is_kept(QuestionId id);
  Result<std::string> refusal_of(std::uint32_t number);
  void enter(std::uint32_t number, std::vector<db::BankQuestion>& entering);
  Status describe(std::uint32_t number, std::span<const db::BankQuestion> entering,
                  const refine::CharacterCounts& characters);

  std::span<const AskedQuestion> questions_;
  db::Deletions deletions_;
  db::Bank& bank_;
  refine::DuplicateSettings settings_;
  finder::HanColumn hans_;
  std::vector<std::uint64_t> fingerprints_;
  std::unordered_multimap<std::uint64_t, Group> groups_;  // by fingerprint of the signs
  std::map<QuestionId, std::size_t> entered_;             // id -> place among those that enter
  std::vector<CheckOutcome> outcomes_;
  finder::ExactIndex::Scratch scratch_;
  finder::QuestionIndex::Scratch index_scratch_;
};

}  // namespace qdedup::iteration
