#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::db {

// A question that came to be added.
struct Arrival {
  BankQuestion question;
  std::int64_t at = 0;  // seconds since 1970
  bool is_new = false;  // it is to be in the bank
  std::vector<QuestionId> duplicates =
      {};  // those of the bank, or that come before it, that it passes the test with
};

// The text (refine::text_hash) that the bank has of a question; none if it is not there.
using TextInBank = std::function<Result<std::optional<std::uint64_t>>(QuestionId)>;

// For arrived_row().
inline constexpr const char* select_arrived =
    "SELECT id, text, answer, original_text, original_answer, images FROM arrived ";

BankQuestion arrived_row(SQLite::Statement& row);

// Equal for equal parts.
std::uint64_t text_key(const refine::Parts& parts);

// The rows of the tables arrived and arrived_text. Within a transaction, all throw what the library throws.
class ArrivedRows {
 public:
  explicit ArrivedRows(SQLite::Database& database);

  std::optional<BankQuestion> find(QuestionId id);

  // Those that pass the test with a text; of equal ones in one class the one with the smallest id. Where
  // other things are compared than signs and Han parts by distance, all texts that arrived are looked
  // through. `go_on` is called for each text; its error ends the search.
  Result<std::vector<BankQuestion>> similar_to(const std::string& text, const refine::Parts& parts,
                                               const refine::DuplicateSettings& settings,
                                               const std::function<Status()>& go_on);

  void add(const Arrival& arrival, const refine::Parts& parts);

  // Once it is in a class.
  void note_class(QuestionId id, const refine::Parts& parts);

  void add_text(const refine::Parts& parts, std::uint64_t key);

  // Nothing if there is none.
  void remove(QuestionId id);

 private:
  struct Place {
    QuestionId representative;
    QuestionId question;
  };

  Result<std::vector<BankQuestion>> similar_of_all(const refine::Parts& compared,
                                                   const refine::DuplicateSettings& settings,
                                                   const std::function<Status()>& go_on);
  std::vector<std::uint64_t> keys_near(const refine::Parts& parts, const refine::DuplicateSettings& settings);
  // The next class, by representative, in which a text is, and the smallest question with it there.
  std::optional<Place> next_class(std::uint64_t key, QuestionId after);

  SQLite::Database& database_;
  SQLite::Statement find_;
  SQLite::Statement texts_;
  SQLite::Statement next_class_;
  SQLite::Statement add_;
  SQLite::Statement add_text_;
  SQLite::Statement key_;
  SQLite::Statement remove_;
  SQLite::Statement set_key_;
};

}  // namespace qdedup::db
