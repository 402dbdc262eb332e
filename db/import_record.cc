#include "db/import_record.h"

#include <utility>

#include "db/connection.h"
#include "db/integer.h"

namespace qdedup::db {
namespace {

// In meta stands the name of an unfinished import with the number of rows that are stored of it.
std::string unfinished_name(std::int64_t id) { return "unfinished_import:" + std::to_string(id); }

}  // namespace

ImportRecord::ImportRecord(SQLite::Database& database, std::string source)
    : database_(database), source_(std::move(source)) {}

void ImportRecord::begin(const std::string& at) {
  SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement insert(database_, "INSERT INTO import (source, started_at) VALUES (?, ?)");
  insert.bind(1, source_);
  insert.bind(2, at);
  insert.exec();
  id_ = database_.getLastInsertRowid();
  store(0);
  transaction.commit();
}

void ImportRecord::store(std::uint64_t rows) {
  SQLite::Statement note(database_, "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
  note.bind(1, unfinished_name(id_));
  note.bind(2, std::to_string(rows));
  note.exec();
}

void ImportRecord::finish(std::uint64_t questions, const std::string& at) {
  SQLite::Statement update(database_, "UPDATE import SET finished_at = ? WHERE id = ?");
  update.bind(1, at);
  update.bind(2, id_);
  update.exec();
  SQLite::Statement complete(
      database_,
      "DELETE FROM meta WHERE name IN (SELECT name FROM import "
      "JOIN meta ON name = 'unfinished_import:' || id "
      "WHERE id = ?1 OR (source = ?2 AND source <> '-') OR CAST(value AS INTEGER) <= ?3)");
  complete.bind(1, id_);
  complete.bind(2, source_);
  complete.bind(3, stored(questions));
  complete.exec();
}

void ImportRecord::begin_and_finish(const std::string& at) {
  SQLite::Statement insert(database_,
                           "INSERT INTO import (source, started_at, finished_at) VALUES (?, ?2, ?2)");
  insert.bind(1, source_);
  insert.bind(2, at);
  insert.exec();
  id_ = database_.getLastInsertRowid();
}

// Versions before this one left no name in meta, and minded the newest import only.
std::optional<std::string> unfinished_import(SQLite::Database& database) {
  SQLite::Statement oldest(
      database,
      "SELECT source FROM import LEFT JOIN meta ON name = 'unfinished_import:' || id "
      "WHERE name IS NOT NULL OR (finished_at IS NULL AND id = (SELECT max(id) FROM import)) "
      "ORDER BY id LIMIT 1");
  if (!oldest.executeStep()) return std::nullopt;
  return oldest.getColumn(0).getString();
}

}  // namespace qdedup::db
