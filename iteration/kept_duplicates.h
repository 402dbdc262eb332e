#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "finder/compact_text_store.h"
#include "finder/exact_index.h"
#include "iteration/bank_index.h"
#include "iteration/question_check.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::iteration {

// The questions of the bank that are kept and that some questions, which are asked for, duplicate: without an
// open deletion that is still valid (db::standing_of). All constructor arguments must outlive it.
class KeptDuplicates {
 public:
  // Finds at most so many of each question, those with the smallest ids. Those asked for are as the bank
  // would store them, with id 0 if they have none.
  KeptDuplicates(std::span<const db::BankQuestion> asked, db::Store& store, db::Bank& bank,
                 const refine::DuplicateSettings& settings, const GoOn& go_on, std::size_t most);

  // Reads the questions that the index names, which must be up to date with the bank. False, with nothing
  // found, if there are too many.
  Result<bool> find_by(const BankIndex& index);

  // Reads the whole bank.
  Status find_in_bank();

  // Those of the question with this number that were found, without itself.
  [[nodiscard]] std::vector<QuestionId> of(std::uint32_t number) const;

  // The numbers of the questions that duplicate this one, itself among them if it is one of them.
  std::vector<std::uint32_t> asked_near(const db::BankQuestion& question);

 private:
  // The questions with the same signs, with an index for finding similar Han parts among them. The first of
  // those with equal parts stands for all of them.
  struct Group {
    std::u32string signs;
    std::unordered_map<std::u32string, std::uint32_t> firsts;  // by Han part
    std::vector<std::uint32_t> numbers;                        // of the firsts
    std::unique_ptr<finder::ExactIndex> index;                 // null until something is looked for
  };

  // Questions with equal parts.
  struct Equals {
    std::vector<std::uint32_t> numbers;
    std::vector<QuestionId> kept;  // of the bank, that they duplicate, ascending; perhaps one of them itself
    std::size_t told = 0;          // of kept, those that were not listed as duplicates of one asked for
  };

  [[nodiscard]] refine::Parts parts_of(std::string_view text) const;
  [[nodiscard]] std::uint64_t fingerprint_of(std::uint64_t sign_fingerprint) const;
  Group* group_of(std::uint64_t fingerprint, std::u32string_view signs);
  void group(std::uint32_t number);
  std::vector<std::uint32_t> firsts_near(const refine::Parts& parts, std::uint64_t fingerprint);
  [[nodiscard]] bool is_sought(const Equals& equals, QuestionId id) const;
  Result<bool> find_by(const BankIndex& index, std::uint32_t first, Equals& equals, std::size_t& left);
  Result<bool> is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint, QuestionId id);
  Status take(QuestionId id, std::uint64_t fingerprint, const refine::Parts& parts);
  Result<bool> is_kept(QuestionId id);
  void keep(Equals& equals, QuestionId id) const;

  std::span<const db::BankQuestion> asked_;
  db::Deletions deletions_;
  db::Bank& bank_;
  const refine::DuplicateSettings& settings_;
  const GoOn& go_on_;
  std::size_t most_;
  finder::CompactTextStore hans_;
  std::unordered_multimap<std::uint64_t, Group> groups_;       // by sign fingerprint
  std::unordered_map<std::uint32_t, Equals> equals_;           // by the first of them
  std::unordered_map<std::uint32_t, std::uint32_t> first_of_;  // by number, where there is a text
  std::unordered_set<QuestionId> asked_ids_;
  // The keepers of listed questions that the bank does not have, and that return: they are asked for. With
  // the text that was compared (refine::text_hash) the deletion holds again.
  struct LostKeeper {
    QuestionId id;
    std::uint64_t text;
  };
  std::unordered_map<QuestionId, LostKeeper> lost_keepers_;
  finder::ExactIndex::Scratch scratch_;
  finder::QuestionIndex::Scratch index_scratch_;
};

}  // namespace qdedup::iteration
