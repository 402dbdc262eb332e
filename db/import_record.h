#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace qdedup::db {

// The record of one import in the bank, for which it is unfinished from its beginning to its end. Interrupted
// before that, it stays so until a later import has come to its end that loads the same source ("-", standard
// input, is no source that could be known again) or, whatever the source, has at least as many questions as
// the interrupted one had stored rows. A small import in between completes nothing. All throw what the
// library throws.
class ImportRecord {
 public:
  ImportRecord(SQLite::Database& database, std::string source);

  // Within a transaction of its own.
  void begin(const std::string& at);

  // Within the transaction that is open:
  void store(std::uint64_t rows);                               // so many are stored so far
  void finish(std::uint64_t questions, const std::string& at);  // so many were in it
  void begin_and_finish(const std::string& at);                 // completes no other

  [[nodiscard]] std::int64_t id() const { return id_; }

 private:
  SQLite::Database& database_;
  std::string source_;
  std::int64_t id_ = 0;
};

// The source of an import that is unfinished, the oldest; without the running one there are only interrupted
// ones.
std::optional<std::string> unfinished_import(SQLite::Database& database);

}  // namespace qdedup::db
