#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"

namespace qdedup::db {

// A question with the hash of its text (text_hash).
struct SweptQuestion {
  QuestionId id = 0;
  std::uint64_t text_hash = 0;

  friend bool operator==(const SweptQuestion&, const SweptQuestion&) = default;
};

// What later sweeps need not find out again: no two of these questions, with these texts, are duplicates.
// That is a fact about texts, which stays true whatever is listed, decided or removed. Bucketed by sign
// fingerprint, since only questions with equal signs are compared.
class SweptQuestions {
 public:
  static constexpr std::size_t buckets = 1024;
  static std::size_t bucket_of(std::uint64_t sign_fingerprint) { return sign_fingerprint >> 54U; }

  // Keeps a row well below `largest_row` (db/database.h).
  static constexpr std::size_t usual_part = std::size_t{1} << 22U;

  // The bank must outlive it and be open for writing. A bucket is stored in rows of `questions_per_part`.
  explicit SweptQuestions(Bank& bank, std::size_t questions_per_part = usual_part)
      : bank_(bank), questions_per_part_(questions_per_part) {}

  // Drops everything that was found under other `rules`: the settings of the duplicate test, and how texts
  // are split.
  Status begin(const std::string& rules);

  // The questions of the buckets from `first` up to but not including `last`, by id.
  Result<std::vector<SweptQuestion>> in(std::size_t first, std::size_t last);

  // Replaces the buckets from `first` on by the elements of `by_bucket`, in one transaction.
  Status replace(std::size_t first, const std::vector<std::vector<SweptQuestion>>& by_bucket);

 private:
  Bank& bank_;
  std::size_t questions_per_part_;
};

}  // namespace qdedup::db
