#pragma once

#include <cstdint>
#include <memory>
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

// By how much the number of questions changes, and in how many of them each character occurs.
struct CharacterSums {
  std::int64_t questions = 0;
  std::vector<std::pair<char32_t, std::int64_t>> characters;  // each once
};

// Counts the characters of the texts that enter and leave the bank, each distinct one of a text once. 9 MB.
class CharacterTally {
 public:
  void enter(std::string_view text) { enter(refine::DecodedText(text)); }
  void enter(const refine::DecodedText& text);
  void leave(std::string_view text);

  // Adds what another tally has counted.
  void add(const CharacterSums& changes);

  // The changes since the last call.
  CharacterSums take();

 private:
  refine::CharacterChanges changes_;
  std::int64_t questions_ = 0;
};

// Adds to what the bank has counted. To be called within a transaction; throws SQLite::Exception.
void add_characters(SQLite::Database& database, const CharacterSums& changes);

// Loads one file into the bank. Rows are committed in batches; what is not committed when the object goes is
// not loaded, and loading the same file again completes it. After an error it is of no more use: SQLite may
// have undone the whole batch.
class BankImport {
 public:
  enum class Outcome {
    inserted,
    replaced,   // the id was there with another text or answer
    unchanged,  // the id was there with the same text and answer
    repeated,   // this import had the id before: the first one stays
    removed,
    absent,  // to be removed, but not there
  };

  // `rows_per_commit` is at least 1.
  static Result<BankImport> begin(Bank& bank, const std::string& source, const std::string& started_at,
                                  std::uint64_t rows_per_commit);

  BankImport(BankImport&&) noexcept;
  BankImport& operator=(BankImport&&) = delete;
  BankImport(const BankImport&) = delete;
  BankImport& operator=(const BankImport&) = delete;
  ~BankImport();

  // An import of these questions alone, whole or not at all: one transaction.
  static Status load_at_once(Bank& bank, const std::string& source, const std::string& at,
                             std::span<const BankQuestion> questions);

  // Puts all of them, in one commit, and returns what became of each. Fastest where their ids ascend and the
  // bank has none from the first to the last. `entering` is what a tally counts when all of them enter.
  Result<std::vector<Outcome>> put_all(std::span<const BankQuestion> questions,
                                       const CharacterSums& entering);
  Result<Outcome> remove(QuestionId id);

  // Commits what is left and notes the end.
  Status finish(const std::string& finished_at);
  // Commits what is left, of a file that could not be read to its end: it is for a later import to complete.
  Status keep();

 private:
  struct Work;
  explicit BankImport(std::unique_ptr<Work> work);
  template <class Step>
  auto in_batch(const Step& step);

  std::unique_ptr<Work> work_;
};

}  // namespace qdedup::db
