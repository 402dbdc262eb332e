#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/connection.h"
#include "db/state_folder.h"
#include "refine/character_counts.h"

namespace SQLite {
class Statement;
}

namespace qdedup::db {

class Store;

// What was imported; a field is empty if the compared one is the same.
struct OriginalQuestion {
  std::optional<std::string> text;
  std::optional<std::string> answer;
  std::optional<std::string> images;  // hashes of the figures' contents, in order, one per line

  [[nodiscard]] bool empty() const { return !text && !answer && !images; }

  friend bool operator==(const OriginalQuestion&, const OriginalQuestion&) = default;
};

// Reads the three columns of `row` that begin at `column`. Throws SQLite::Exception.
OriginalQuestion original_of(SQLite::Statement& row, int column);

// Their parameters are the id and, for the insertion, the three columns.
inline constexpr auto insert_original = "INSERT INTO original (id, text, answer, images) VALUES (?, ?, ?, ?)";
inline constexpr auto delete_original = "DELETE FROM original WHERE id = ?";

// A question as stored in the bank. Text and answer are what is compared, without markup, in UTF-8.
struct BankQuestion {
  QuestionId id = 0;
  std::string text;
  std::optional<std::string> answer = std::nullopt;
  std::uint64_t sign_fingerprint = 0;  // equal for equal signs (refine::sign_fingerprint)
  QuestionSketch sketch;               // set if the text is not empty; not read back with the question
  OriginalQuestion original = {};
  bool is_too_long = false;  // markup::Compared; not read back with the question
  // In seconds since 1970. If there is none, the bank keeps the one it has.
  std::optional<std::int64_t> arrived_at = std::nullopt;

  [[nodiscard]] const std::string& original_text() const { return original.text ? *original.text : text; }
  [[nodiscard]] const std::optional<std::string>& original_answer() const {
    return original.answer ? original.answer : answer;
  }
};

// Two questions as the bank has them now.
struct QuestionPair {
  std::optional<BankQuestion> question;
  std::optional<BankQuestion> keeper;
};

// The open bank.db: the texts of all questions.
class Bank : public Connection {
 public:
  static Result<Bank> open(const StateFolder& folder, Access access);

  // Opens it for writing; if it is missing, makes it in the place of one that was lost: from its first byte
  // on, and until finish_lost_bank(), it counts as interrupted.
  static Result<Bank> make_anew(const StateFolder& folder);

  Bank(Bank&&) noexcept;
  ~Bank();

  // Another read-only connection to the same bank, for a different thread. It reports its activity to the
  // same function.
  [[nodiscard]] Result<Bank> reader() const;

  // Lets the connection cache this much of the file, for looking up many questions one by one.
  Status keep_in_memory(std::size_t bytes);

  // The number of questions.
  Result<std::uint64_t> count();

  // The source of an interrupted import that no later import completed, if any: only part of it is in the
  // bank. It is completed by a later import of the same source ("-", standard input, never counts as the
  // same), or by one that stored nine tenths of its questions again; if it had stored none, by any. An
  // interrupted removal is completed by one of the same source, or of as many ids. Where no import was
  // interrupted, but a lost bank is being made anew, the source is empty.
  Result<std::optional<std::string>> interrupted_import();

  // For each character, the number of questions that contain it.
  Result<refine::CharacterCounts> character_counts();

  // Of an empty bank: the question as it is in the lake, if the store knows it (db/lake.h).
  Result<std::optional<BankQuestion>> find(QuestionId id);
  Result<QuestionPair> find_pair(QuestionId question, QuestionId keeper);

  // The questions that are known to have arrived before that moment, ascending.
  Result<std::vector<QuestionId>> arrived_before(std::int64_t moment);

  // The version of the rules (db/fingerprints.h) by which texts were extracted and fingerprints and sketches
  // computed; empty for a new bank.
  Result<std::string> fingerprint_version();

  // Drawn at random when the file was made.
  Result<std::string> identity();

 private:
  Bank(const std::string& path, SQLite::Database database, Access access);
  static Result<Bank> open(const std::string& path, Access access, const Schema& schema);

  Result<std::optional<BankQuestion>> find_here(QuestionId id);
  Result<std::optional<BankQuestion>> find_in_lake(QuestionId id);

  std::unique_ptr<SQLite::Statement> find_;
  std::unique_ptr<Store> lake_;
};

}  // namespace qdedup::db
