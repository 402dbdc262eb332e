#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/state_folder.h"

namespace SQLite {
class Database;
class Statement;
class Transaction;
}  // namespace SQLite

namespace qdedup::db {

// A question as the bank keeps it.
struct BankQuestion {
  QuestionId id = 0;
  std::string text;  // UTF-8
  std::optional<std::string> answer;
  std::uint64_t sign_fingerprint = 0;  // equal for equal signs (refine::sign_fingerprint)
};

// In how many questions of the bank each character occurs, or by how much that changes.
struct CharacterSums {
  std::int64_t questions = 0;
  std::vector<std::pair<char32_t, std::int64_t>> characters;  // each once
};

// Counts the characters of the texts that enter and leave the bank.
class CharacterTally {
 public:
  CharacterTally() = default;
  CharacterTally(const CharacterTally&) = delete;
  CharacterTally& operator=(const CharacterTally&) = delete;
  virtual ~CharacterTally() = default;

  virtual void enter(std::string_view text) = 0;
  virtual void leave(std::string_view text) = 0;

  // The changes since the last call.
  virtual CharacterSums take() = 0;
};

// The open bank.db: the texts of all questions. Not to be shared by threads.
class Bank {
 public:
  static Result<Bank> open(const StateFolder& folder, Access access);

  Bank(Bank&&) noexcept;
  Bank& operator=(Bank&&) = delete;
  Bank(const Bank&) = delete;
  Bank& operator=(const Bank&) = delete;
  ~Bank();

  // Calls `moved` again and again while a statement runs, on the thread that runs it.
  void on_activity(std::function<void()> moved);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] SQLite::Database& database() { return *database_; }

  // The number of questions.
  Result<std::uint64_t> count();

  // The source of the newest import, if it did not come to its end: then only a part of it is in the bank.
  Result<std::optional<std::string>> interrupted_import();

  // In how many questions each character occurs.
  Result<CharacterSums> character_sums();

  Result<std::optional<BankQuestion>> find(QuestionId id);

  // The fingerprints of those of `ids` that have a text, in the order of `ids`; best when they ascend.
  Status fingerprints(std::span<const QuestionId> ids,
                      const std::function<void(std::size_t position, std::uint64_t fingerprint)>& take);

  // Under which version of the sign rules the fingerprints were computed; empty for a new bank.
  Result<std::string> fingerprint_version();

  // Computes each fingerprint anew, in batches, and notes the version at the end. Interrupted, it leaves the
  // old version.
  Status refresh_fingerprints(const std::string& version,
                              const std::function<std::uint64_t(std::string_view text)>& fingerprint);

 private:
  Bank(std::string path, std::unique_ptr<SQLite::Database> database);

  std::string path_;
  std::unique_ptr<std::function<void()>> moved_;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<SQLite::Statement> find_;
  std::unique_ptr<SQLite::Statement> find_fingerprint_;
};

// Loads one file into the bank. Rows are committed in batches; what is not committed when the object goes is
// not loaded, and loading the same file again completes it.
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

  // `rows_per_commit` is at least 1. What `tally` counts is added to the bank's sums with each commit; it
  // must outlive the import.
  static Result<BankImport> begin(Bank& bank, const std::string& source, const std::string& started_at,
                                  std::uint64_t rows_per_commit, CharacterTally& tally);

  BankImport(BankImport&&) noexcept;
  BankImport& operator=(BankImport&&) = delete;
  BankImport(const BankImport&) = delete;
  BankImport& operator=(const BankImport&) = delete;
  ~BankImport();

  // An import of these questions alone, whole or not at all: one transaction.
  static Status load_at_once(Bank& bank, const std::string& source, const std::string& at,
                             std::span<const BankQuestion> questions, CharacterTally& tally);

  Result<Outcome> put(const BankQuestion& question);
  Result<Outcome> remove(QuestionId id);

  // Commits what is left and notes the end.
  Status finish(const std::string& finished_at);

 private:
  struct Work;
  explicit BankImport(std::unique_ptr<Work> work);
  Status row_done();

  std::unique_ptr<Work> work_;
};

}  // namespace qdedup::db
