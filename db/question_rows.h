#pragma once

#include <cstdint>
#include <span>

#include "db/bank.h"
#include "db/connection.h"

namespace qdedup::db {

// Puts questions into the table `question`. The functions throw SQLite::Exception.
class QuestionRows {
 public:
  explicit QuestionRows(SQLite::Database& database);

  // Whether the bank has a question with an id from `first` to `last`.
  bool any_between(QuestionId first, QuestionId last);

  // Adds questions that are not in the bank, in ascending order of their ids. Many go with one statement,
  // which takes half the time of one for each.
  void add(std::span<const BankQuestion> questions, std::int64_t import_id);

  // Adds a question unless the bank has one with its id; says which. One search of the tree.
  bool add_if_absent(const BankQuestion& question, std::int64_t import_id);

  void replace(const BankQuestion& question, std::int64_t import_id);

 private:
  SQLite::Statement next_;
  SQLite::Statement add_many_;
  SQLite::Statement add_;
  SQLite::Statement replace_;
};

}  // namespace qdedup::db
