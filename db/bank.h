#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/activity.h"
#include "db/state_folder.h"
#include "db/write_permission.h"

namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace qdedup::db {

struct ConnectionWatch;

// A question as the bank keeps it.
struct BankQuestion {
  QuestionId id = 0;
  std::string text;  // UTF-8
  std::optional<std::string> answer = std::nullopt;
  std::uint64_t sign_fingerprint = 0;  // equal for equal signs (refine::sign_fingerprint)
  QuestionSketch sketch;               // where the text is not empty; not read back with the question
};

// In how many questions of the bank each character occurs, or by how much that changes.
struct CharacterSums {
  std::int64_t questions = 0;
  std::vector<std::pair<char32_t, std::int64_t>> characters;  // each once
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

  // A further connection to the same bank, which only reads: for another thread. What is told of its activity
  // is the same.
  [[nodiscard]] Result<Bank> reader() const;

  void on_activity(OnActivity told);

  // What it writes from now on, it writes in turns of `permission`.
  void use(std::shared_ptr<WritePermission> permission);
  // To be held while something is written.
  [[nodiscard]] Result<std::shared_ptr<void>> take_turn();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] SQLite::Database& database() { return *database_; }

  // Lets the connection keep so much of the file in memory, for many questions that are looked up one by one.
  Status keep_in_memory(std::size_t bytes);

  // The number of questions.
  Result<std::uint64_t> count();

  // The source of an import that did not come to its end, if there is one that no later import completed
  // (db/import_record.h): then only a part of it is in the bank.
  Result<std::optional<std::string>> interrupted_import();

  // In how many questions each character occurs.
  Result<CharacterSums> character_sums();

  Result<std::optional<BankQuestion>> find(QuestionId id);

  // Under which version of the sign rules the fingerprints and sketches were computed; empty for a new bank.
  Result<std::string> fingerprint_version();

  // Computes each fingerprint and sketch anew, in batches, and notes the version at the end. Interrupted, it
  // leaves no version. `set_fingerprints` sets them from the text; `so_far` is told now and then how many are
  // done.
  Status refresh_fingerprints(const std::string& version,
                              const std::function<void(BankQuestion&)>& set_fingerprints,
                              const std::function<void(std::uint64_t)>& so_far);

 private:
  Bank(std::string path, std::unique_ptr<SQLite::Database> database, Access access);
  static Result<Bank> open(const std::string& path, Access access);

  std::string path_;
  std::unique_ptr<ConnectionWatch> watch_;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<SQLite::Statement> find_;
};

}  // namespace qdedup::db
