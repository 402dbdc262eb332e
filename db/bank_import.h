#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "refine/character_counts.h"
#include "refine/unicode.h"

namespace qdedup::db {

// By how much the number of questions changes and, for each character, the number of questions that contain
// it.
struct CharacterSums {
  std::int64_t questions = 0;
  std::vector<std::pair<char32_t, std::int64_t>> characters;  // each character once
};

// Counts the characters of texts that enter and leave the bank, each distinct character of a text once. Takes
// 9 MB.
class CharacterTally {
 public:
  void enter(std::string_view text) { enter(refine::DecodedText(text)); }
  void enter(const refine::DecodedText& text);
  void leave(std::string_view text);

  // Adds what another tally counted.
  void add(const CharacterSums& changes);

  // The changes since the last call.
  CharacterSums take();

 private:
  refine::CharacterChanges changes_;
  std::int64_t questions_ = 0;
};

// Adds to the bank's counts. Call it within a transaction; throws SQLite::Exception.
void add_characters(SQLite::Database& database, const CharacterSums& changes);

// Loads one file into the bank. Rows are committed in batches. What is not committed when the object is
// destroyed is not loaded; loading the same file again completes it. Useless after an error, because SQLite
// may have rolled back the whole batch.
class BankImport {
 public:
  enum class Outcome {
    inserted,
    replaced,   // the id existed with another text or answer
    unchanged,  // the id existed with the same text and answer
    repeated,   // this import already had the id; the first one stays
    removed,
    absent,  // to be removed, but not in the bank
  };

  // `rows_per_commit` is at least 1.
  static Result<BankImport> begin(Bank& bank, const std::string& source, const std::string& started_at,
                                  std::uint64_t rows_per_commit);

  BankImport(BankImport&&) noexcept;
  BankImport& operator=(BankImport&&) = delete;
  BankImport(const BankImport&) = delete;
  BankImport& operator=(const BankImport&) = delete;
  ~BankImport();

  // Imports just these questions, all or none, in one transaction.
  static Status load_at_once(Bank& bank, const std::string& source, const std::string& at,
                             std::span<const BankQuestion> questions);
  // The same, taking questions out; those that are not in the bank are passed over.
  static Status remove_at_once(Bank& bank, const std::string& source, const std::string& at,
                               std::span<const QuestionId> questions);

  // Stores all of them in one commit, and returns the outcome of each. Fastest if their ids ascend and the
  // bank has none from the first to the last. `entering` is what a tally counts if all of them enter.
  Result<std::vector<Outcome>> put_all(std::span<const BankQuestion> questions,
                                       const CharacterSums& entering);
  Result<Outcome> remove(QuestionId id);

  // Commits the rest and records the end.
  Status finish(const std::string& finished_at);
  // Commits the rest of a file that could not be read to its end, for a later import to complete.
  Status keep();

 private:
  struct Work;
  explicit BankImport(std::unique_ptr<Work> work);
  template <class Step>
  auto in_batch(const Step& step);
  template <class Step>
  static Status at_once(Bank& bank, const std::string& source, const std::string& at, const Step& step);

  std::unique_ptr<Work> work_;
};

// What the store needs of a bank that is made anew (Bank::make_anew): the questions without which open
// deletions, verified pairs or arrivals do not hold. (What is listed itself may have been deleted.)
struct NeededQuestions {
  std::uint64_t all = 0;
  std::uint64_t missing = 0;
};

// What an import brought: `all_again`, once more all that the bank has, so no more is to come.
enum class Imported { some, all_again };

// After an import that has come to its end and stored something: if nine tenths of what is needed are there,
// or somebody who was told what is missing has no more, the bank is made; otherwise returns what is missing.
Result<std::optional<NeededQuestions>> finish_lost_bank(Bank& bank, Store& store, Imported imported);

}  // namespace qdedup::db
